const SITE = 'Подиум';
let title = '';
let badge = '';

/** Sets the tab's title: «Создать видео — Подиум». */
export function setPageTitle(text: string): void {
  title = text;
  show();
}

/** A word before the title while the tab is in the background, such as «(1) Готово»; empty removes it. */
export function setTitleBadge(text: string): void {
  badge = text;
  show();
}

function show(): void {
  document.title = `${badge ? `${badge} · ` : ''}${title}${title === SITE ? '' : ` — ${SITE}`}`;
}

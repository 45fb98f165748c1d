const SITE = 'Подиум';
let title = '';
let badge = '';

/** Sets the tab's title. */
export function setPageTitle(text: string): void {
  title = text;
  show();
}

/** Marks a tab in the background until the person comes back to it. */
export function announceInTitle(): void {
  if (document.visibilityState !== 'hidden') return;
  setBadge('(1) Готово');
  document.addEventListener('visibilitychange', () => setBadge(''), { once: true });
}

/** A word before the title; empty removes it. */
function setBadge(text: string): void {
  badge = text;
  show();
}

/** «Создать видео — Подиум» */
export function formatPageTitle(text: string): string {
  return text === SITE ? text : `${text} — ${SITE}`;
}

function show(): void {
  document.title = `${badge ? `${badge} · ` : ''}${formatPageTitle(title)}`;
}

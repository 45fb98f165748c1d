import type { Change } from '#shared/rules/tool-abilities.ts';

/** The title of a page. A record has one title for each kind of change that the tool can make. */
export type PageTitle = string | Readonly<Record<Change, string>>;

const SITE = 'Подиум';
let title = '';
let badge = '';

/** Sets the tab's title. */
export function setPageTitle(text: string): void {
  title = text;
  show();
}

/** Marks the title of a background tab until the person comes back to it. */
export function announceInTitle(): void {
  if (document.visibilityState !== 'hidden') return;
  setBadge('(1) Готово');
  document.addEventListener('visibilitychange', () => setBadge(''), { once: true });
}

/** Puts a text before the title; an empty one removes it. */
function setBadge(text: string): void {
  badge = text;
  show();
}

export function chooseTitle(pageTitle: PageTitle, change: Change): string {
  return typeof pageTitle === 'string' ? pageTitle : pageTitle[change];
}

/** «Создать видео — Подиум» */
export function formatPageTitle(text: string): string {
  return text === SITE ? text : `${text} — ${SITE}`;
}

function show(): void {
  document.title = `${badge ? `${badge} · ` : ''}${formatPageTitle(title)}`;
}

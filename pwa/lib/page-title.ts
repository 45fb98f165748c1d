import type { Change } from '#shared/rules/tool-abilities.ts';

/** The title of a page; one for each change where it depends on what the tool makes. */
export type PageTitle = string | Readonly<Record<Change, string>>;

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

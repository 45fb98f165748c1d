import type { Change } from '#shared/rules/tool-abilities.ts';

/** The title of a page. A record has one title for each kind of change that the tool can make. */
export type PageTitle = string | Readonly<Record<Change, string>>;

const SITE = 'Подиум';
let title = '';
let newResults = 0;
/** Whether a result was finished while this tab was in the background. */
let isAnnounced = false;

export function setPageTitle(text: string): void {
  title = text;
  show();
}

/** Marks the title of a background tab until the person comes back to it, also without a word from the server. */
export function announceInTitle(): void {
  if (document.visibilityState !== 'hidden') return;
  const setAnnounced = (next: boolean) => {
    isAnnounced = next;
    show();
  };
  setAnnounced(true);
  document.addEventListener('visibilitychange', () => setAnnounced(false), { once: true });
}

/** Marks the title while there are results that nobody has seen. */
export function setNewResults(count: number): void {
  newResults = count;
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
  const count = Math.max(newResults, isAnnounced ? 1 : 0);
  document.title = `${count > 0 ? `(${count}) Готово · ` : ''}${formatPageTitle(title)}`;
}

import type { Location } from 'react-router-dom';

/** The router's key of a history entry that the browser itself has made. */
export const FIRST_ENTRY = 'default';

const STORAGE_KEY = 'podium.scroll';

let positions: Record<string, number> | null = null;

/** The position at which this history entry was left in this tab. */
export function findScroll(location: Location): number | undefined {
  return read()[nameEntry(location)];
}

/** Notes how far the page is scrolled. */
export function noteScroll(location: Location): void {
  read()[nameEntry(location)] = scrollY;
}

/** Keeps the noted positions over a reload. */
export function storeScroll(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(read()));
  } catch (error) {
    console.warn('scroll positions could not be stored', error);
  }
}

/** Every page opened by the browser has the same key, so these are told apart by their path. */
function nameEntry({ key, pathname }: Location): string {
  return key === FIRST_ENTRY ? pathname : key;
}

function read(): Record<string, number> {
  positions ??= forgetOpened(parse(readItem()));
  return positions;
}

/** A page that was opened by its address, and not by a reload or from the history, begins at its top. */
function forgetOpened(stored: Record<string, number>): Record<string, number> {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (opening?.type === 'navigate') delete stored[location.pathname];
  return stored;
}

/** Parses by hand, because the first page does not load the schema library. */
function parse(text: string | null): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    const entries = stored && typeof stored === 'object' ? Object.entries(stored) : [];
    return Object.fromEntries(entries.filter(([, position]) => typeof position === 'number'));
  } catch {
    return {};
  }
}

function readItem(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The element of a prerendered page that holds the answers it was made with. */
export const PRERENDERED_DATA_ID = 'page-data';

/** Answers of the API under the keys of their queries. */
export type PrerenderedData = [key: QueryKey, answer: unknown][];

/** Fills the cache with what the page was prerendered with, so that nothing is asked twice and nothing flickers. */
export function readPrerenderedData(queryClient: QueryClient): void {
  const element = document.getElementById(PRERENDERED_DATA_ID);
  if (!element) return;
  // Written by our own server into the very document that this code came with.
  for (const [key, answer] of JSON.parse(element.textContent) as PrerenderedData) {
    queryClient.setQueryData(key, answer);
  }
}

import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The id of the element with the API answers that a page was prerendered with. */
export const PRERENDERED_DATA_ID = 'page-data';

/** API answers with the keys of their queries. */
export type PrerenderedData = [key: QueryKey, answer: unknown][];

/**
 * Fills the query cache with the answers that the page was prerendered with, so that nothing is fetched twice and
 * nothing flickers.
 */
export function readPrerenderedData(queryClient: QueryClient): void {
  const element = document.getElementById(PRERENDERED_DATA_ID);
  if (!element) return;
  // Trusted: our own server wrote it into this document.
  for (const [key, answer] of JSON.parse(element.textContent) as PrerenderedData) {
    queryClient.setQueryData(key, answer);
  }
}

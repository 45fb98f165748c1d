import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Between the ends of a request and the beginning of the next one for the same data. */
const PAUSE_MS = 400;

/** What is being fetched again, and whether it has changed once more since. */
const fetchedBy = new WeakMap<QueryClient, Map<string, boolean>>();

/**
 * Marks data as changed and fetches what the page shows of them: at once, but with one request at a time and a pause
 * between two. However many changes come meanwhile, one more request follows them.
 */
export async function refetchSoon(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = fetchedBy.get(queryClient) ?? new Map<string, boolean>();
  fetchedBy.set(queryClient, underWay);
  const name = JSON.stringify(queryKey);
  if (underWay.has(name)) {
    underWay.set(name, true);
    return;
  }
  underWay.set(name, false);
  await queryClient.invalidateQueries({ queryKey });
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const isChanged = underWay.get(name);
  underWay.delete(name);
  if (isChanged) await refetchSoon(queryClient, queryKey);
}

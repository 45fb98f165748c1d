import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Between the ends of a request and the beginning of the next one for the same data. */
const PAUSE_MS = 400;
/**
 * The same for batches. Each file that is sent and each row that ends changes them, and a batch comes with all its rows:
 * hundreds of kilobytes. What the person does is shown from the answers of these calls, so nobody waits for it.
 */
export const BATCH_PAUSE_MS = 2_000;

/** What is being fetched again, and whether it has changed once more since. */
const fetchedBy = new WeakMap<QueryClient, Map<string, boolean>>();

/**
 * Marks data as changed and fetches what the page shows of them: at once, but with one request at a time and a pause
 * between two. However many changes come meanwhile, one more request follows them.
 */
export async function refetchSoon(queryClient: QueryClient, queryKey: QueryKey, pauseMs = PAUSE_MS): Promise<void> {
  const underWay = fetchedBy.get(queryClient) ?? new Map<string, boolean>();
  fetchedBy.set(queryClient, underWay);
  const name = JSON.stringify(queryKey);
  if (underWay.has(name)) {
    underWay.set(name, true);
    return;
  }
  underWay.set(name, false);
  await queryClient.invalidateQueries({ queryKey });
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const isChanged = underWay.get(name);
  underWay.delete(name);
  if (isChanged) await refetchSoon(queryClient, queryKey, pauseMs);
}

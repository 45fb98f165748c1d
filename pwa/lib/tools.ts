import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { CHANGES, type Change, FRAME_SORTS, type FrameSort, MOVERS, type Mover } from '#shared/rules/tool-abilities.ts';
import { PUBLIC_DATA_STALE_MS } from './query-client.ts';
import { QUERY_KEYS } from './query-keys.ts';

/** In localStorage, which can be read before the first paint; of the installation, not of anybody's account. */
const KEY = 'podium.tools';
/** Of a device that knows nothing yet; longer than a healthy answer takes. */
const WAIT_MS = 1500;

/** What the tools make here. Remembered on the device: names and steps must not change under somebody's eyes. */
export const toolsQuery = queryOptions({
  queryKey: QUERY_KEYS.tools,
  queryFn: async ({ signal }): Promise<ToolAbilities> => {
    // Prerendered pages bring the answer along: only others load what asks for it.
    const tools = await (await import('./load-tools.ts')).loadTools(signal);
    remember(tools);
    return tools;
  },
  staleTime: PUBLIC_DATA_STALE_MS,
});

/** What the tool for models and backgrounds makes here; where that is not known, the less of the two. */
export function useChange(): Change {
  return useQuery(toolsQuery).data?.change ?? 'background_change';
}

/** What the frames of a photo session differ in; where that is not known, the less of the two. */
export function useFrameSort(): FrameSort {
  return useQuery(toolsQuery).data?.frames ?? 'views';
}

/** What moves in a video; where that is not known, the less of the two. */
export function useMover(): Mover {
  return useQuery(toolsQuery).data?.mover ?? 'camera';
}

/**
 * Finds out what the tools make before the first page is drawn: it came with the document, or the device remembers it
 * and asks anew beside, or it is asked for now.
 */
export async function knowTools(queryClient: QueryClient): Promise<void> {
  const brought = queryClient.getQueryData(toolsQuery.queryKey);
  if (brought) return remember(brought);
  const remembered = readRememberedTools(readItem());
  if (remembered) return void queryClient.setQueryData(toolsQuery.queryKey, remembered, { updatedAt: 0 });
  await Promise.race([
    queryClient.prefetchQuery(toolsQuery),
    new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS)),
  ]);
}

/** By hand: a visitor's first page loads no schema library. Null for what says nothing. */
export function readRememberedTools(text: string | null): ToolAbilities | null {
  const [changeWord, framesWord, moverWord] = text?.split(' ') ?? [];
  const change = CHANGES.find((known) => known === changeWord);
  const frames = FRAME_SORTS.find((known) => known === framesWord);
  const mover = MOVERS.find((known) => known === moverWord);
  return change && frames && mover ? { change, frames, mover } : null;
}

function readItem(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember({ change, frames, mover }: ToolAbilities): void {
  try {
    localStorage.setItem(KEY, `${change} ${frames} ${mover}`);
  } catch {
    // Without storage it is asked for on every visit.
  }
}

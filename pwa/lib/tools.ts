import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { CHANGES, type Change, FRAME_SORTS, type FrameSort, MOVERS, type Mover } from '#shared/rules/tool-abilities.ts';
import { PUBLIC_DATA_STALE_MS } from './query-client.ts';
import { QUERY_KEYS } from './query-keys.ts';

/**
 * In localStorage, which can be read before the first paint. The value belongs to the installation, not to an account.
 */
const KEY = 'podium.tools';
/** The longest wait on a device that has stored nothing yet; a healthy answer takes less. */
const WAIT_MS = 1500;

/**
 * What the tools of this installation can do. Stored on the device, so that names and steps do not change while the
 * person looks at them.
 */
export const toolsQuery = queryOptions({
  queryKey: QUERY_KEYS.tools,
  queryFn: async ({ signal }): Promise<ToolAbilities> => {
    // Prerendered pages contain the answer, so only other pages load the code that fetches it.
    const tools = await (await import('./load-tools.ts')).loadTools(signal);
    remember(tools);
    return tools;
  },
  staleTime: PUBLIC_DATA_STALE_MS,
});

/** What the tool for models and backgrounds changes. While that is unknown, the lesser ability is assumed. */
export function useChange(): Change {
  return useQuery(toolsQuery).data?.change ?? 'background_change';
}

/** What the frames of a photo session differ in. While that is unknown, the lesser ability is assumed. */
export function useFrameSort(): FrameSort {
  return useQuery(toolsQuery).data?.frames ?? 'views';
}

/** What moves in a video. While that is unknown, the lesser ability is assumed. */
export function useMover(): Mover {
  return useQuery(toolsQuery).data?.mover ?? 'camera';
}

/** What every engine makes, and nothing that only some do. */
const USUALLY_OFFERED: readonly GenerationKind[] = ['video', 'model_change', 'photosession'];

/** The tools of this installation. While that is unknown, those that every engine makes are assumed. */
export function useOffered(): readonly GenerationKind[] {
  return useQuery(toolsQuery).data?.offered ?? USUALLY_OFFERED;
}

/**
 * Makes `toolsQuery` available before the first page is drawn. The answer comes with the document, or from the device
 * (and is then fetched again in the background), or from the server.
 */
export async function ensureTools(queryClient: QueryClient): Promise<void> {
  const brought = queryClient.getQueryData(toolsQuery.queryKey);
  if (brought) return remember(brought);
  const remembered = readRememberedTools(readItem());
  if (remembered) return void queryClient.setQueryData(toolsQuery.queryKey, remembered, { updatedAt: 0 });
  await Promise.race([
    queryClient.prefetchQuery(toolsQuery),
    new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS)),
  ]);
}

/**
 * Parses the stored text by hand, because a visitor's first page does not load the schema library. Null for an unusable
 * text.
 */
export function readRememberedTools(text: string | null): ToolAbilities | null {
  const [changeWord, framesWord, moverWord, offeredWords] = text?.split(' ') ?? [];
  const change = CHANGES.find((known) => known === changeWord);
  const frames = FRAME_SORTS.find((known) => known === framesWord);
  const mover = MOVERS.find((known) => known === moverWord);
  if (!change || !frames || !mover || offeredWords === undefined) return null;
  const named = offeredWords.split(',');
  return { change, frames, mover, offered: GENERATION_KINDS.filter((kind) => named.includes(kind)) };
}

function readItem(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember({ change, frames, mover, offered }: ToolAbilities): void {
  try {
    localStorage.setItem(KEY, `${change} ${frames} ${mover} ${offered.join()}`);
  } catch {
    // Without storage the answer is fetched on every visit.
  }
}

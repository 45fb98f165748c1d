import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { PUBLIC_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { CHANGES, type Change, FRAME_SORTS, type FrameSort, MOVERS, type Mover } from '#shared/rules/tool-abilities.ts';
import type { VideoOffer } from '#shared/rules/tool-offer.ts';
import type { ResultKind } from '#shared/rules/tools.ts';

/**
 * In localStorage, which can be read before the first paint. The value belongs to the installation, not to an account.
 */
const KEY = 'podium.tools';
/** The longest wait on a device that has stored nothing yet; a healthy answer takes less. */
const WAIT_MS = 1500;
/** Words of a stored answer. A list is one word, with commas. */
const WORDS = 8;

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

/** Assumed while nothing else is known: the lesser abilities, and the tools that every engine has. */
const ASSUMED: ToolAbilities = {
  change: 'background_change',
  frames: 'views',
  mover: 'camera',
  offered: ['model_change', 'video', 'photosession'],
  videoSeconds: [...VIDEO_SECONDS],
  aspectRatios: [...ASPECT_RATIOS],
  documentsVersion: DOCUMENTS_VERSION,
  transferVersion: TRANSFER_VERSION,
};

/** The tools that an engine of this installation can serve. */
export function useOffered(): readonly GenerationKind[] {
  return useAbilities().offered;
}

/** The lengths and ratios of a video. */
export function useVideoOffer(): VideoOffer {
  return useAbilities();
}

/** What the tool for models and backgrounds changes. */
export function useChange(): Change {
  return useAbilities().change;
}

/** What the frames of a photo session differ in. */
export function useFrameSort(): FrameSort {
  return useAbilities().frames;
}

/** What moves in a video. */
export function useMover(): Mover {
  return useAbilities().mover;
}

/** Whether results of this kind are drawn anew here, so that the garment may differ from the photo. */
export function useIsDrawnAnew(made: ResultKind): boolean {
  const { change, frames, mover, offered } = useAbilities();
  switch (made) {
    case 'video':
      return mover === 'person';
    case 'model_change':
      return change === 'model_change';
    case 'photosession':
      return frames === 'poses';
    case 'try_on':
      return offered.includes('try_on');
    case 'background_change':
      return false;
  }
}

function useAbilities(): ToolAbilities {
  return useQuery(toolsQuery).data ?? ASSUMED;
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
  const words = text?.split(' ') ?? [];
  if (words.length !== WORDS) return null;
  const [documentsVersion = '', transferVersion = ''] = words.slice(-2);
  const [change, frames, mover, offered, seconds, ratios] = words.map((word) => word.split(','));
  const abilities = {
    change: CHANGES.find((known) => change?.includes(known)),
    frames: FRAME_SORTS.find((known) => frames?.includes(known)),
    mover: MOVERS.find((known) => mover?.includes(known)),
    offered: GENERATION_KINDS.filter((known) => offered?.includes(known)),
    videoSeconds: VIDEO_SECONDS.filter((known) => seconds?.includes(String(known))),
    aspectRatios: ASPECT_RATIOS.filter((known) => ratios?.includes(known)),
    documentsVersion,
    transferVersion,
  };
  return abilities.change && abilities.frames && abilities.mover ? (abilities as ToolAbilities) : null;
}

function readItem(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(tools: ToolAbilities): void {
  const { change, frames, mover, offered, videoSeconds, aspectRatios, documentsVersion, transferVersion } = tools;
  const words = [change, frames, mover, offered, videoSeconds, aspectRatios, documentsVersion, transferVersion];
  try {
    localStorage.setItem(KEY, words.join(' '));
  } catch {
    // Without storage the answer is fetched on every visit.
  }
}

import { useQuery } from '@tanstack/react-query';
import { generationQuery, type KnownGeneration } from '#pwa/features/generations/generation-query.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import type { ShownVideo } from './shown-video.ts';

/** The loss of a video that is shown, also one found since it was opened; null while its file is there. */
export function useVideoLoss(video: ShownVideo | null): ResultLoss | null {
  const { data } = useQuery({
    ...generationQuery(video?.videoId ?? ''),
    // Kept fresh once it shows a loss. Before that the page knows the video from elsewhere.
    enabled: ({ state }) => findLoss(state.data) !== null,
  });
  return findLoss(data) ?? video?.loss ?? null;
}

function findLoss(known: KnownGeneration | undefined): ResultLoss | null {
  return known?.view?.results[0]?.loss ?? null;
}

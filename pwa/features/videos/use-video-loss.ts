import { useFoundLoss } from '#pwa/features/generations/found-loss.ts';
import type { ResultLoss } from '#shared/contract/generations.ts';
import type { ShownVideo } from './shown-video.ts';

/** The loss of a video that is shown, also one found since it was opened; null while its file is there. */
export function useVideoLoss(video: ShownVideo | null): ResultLoss | null {
  return useFoundLoss(video?.videoId ?? null)?.results[0]?.loss ?? video?.loss ?? null;
}

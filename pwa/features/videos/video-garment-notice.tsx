import { GarmentNotice } from '#pwa/features/generations/garment-notice.tsx';
import { useIsDrawnAnew } from '#pwa/features/tools/tools.ts';
import type { ShownVideo } from './shown-video.ts';

export interface VideoGarmentNoticeProps {
  video: ShownVideo;
  className: string;
}

/** Whether a video shows the garment of its photo. Nothing is asked where no engine draws garments anew. */
export function VideoGarmentNotice({ video, className }: VideoGarmentNoticeProps) {
  const isDrawnAnew = useIsDrawnAnew('video');
  const { videoId, generation, hasDrifted } = video;
  if (!generation && !isDrawnAnew && !hasDrifted) return null;
  return <GarmentNotice key={videoId} generationId={videoId} known={generation} className={className} />;
}

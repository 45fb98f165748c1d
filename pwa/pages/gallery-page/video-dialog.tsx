import { Dialog } from '#pwa/components/dialog.tsx';
import { showFromHistory } from '#pwa/features/videos/shown-video.ts';
import { VideoPlayer } from '#pwa/features/videos/video-player.tsx';
import type { PlayableVideo } from '#pwa/features/videos/video-queries.ts';

export interface VideoDialogProps {
  /** Null: closed. */
  video: PlayableVideo | null;
  onClose: () => void;
}

/** A finished video of the gallery, played. */
export function VideoDialog({ video, onClose }: VideoDialogProps) {
  const shown = video && showFromHistory(video);
  return (
    <Dialog
      open={video !== null}
      onOpenChange={onClose}
      title={shown?.title ?? ''}
      description={shown?.details}
      size="sm"
    >
      {shown && (
        <div className="max-w-[340px] mx-auto">
          <VideoPlayer key={shown.videoId} video={shown} />
        </div>
      )}
    </Dialog>
  );
}

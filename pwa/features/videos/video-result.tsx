import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { DownloadMenu, StartDownload } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton, type ShareTarget } from '#pwa/features/downloads/share-button.tsx';
import { useDownload } from '#pwa/features/downloads/use-download.tsx';
import { LossNotice, LostPicture } from '#pwa/features/generations/loss-notice.tsx';
import { frameShape } from '#pwa/features/generations/photo-stage.tsx';
import { ReportButton } from '#pwa/features/generations/report-button.tsx';
import { RenameButton } from '#pwa/features/renaming/rename-button.tsx';
import { nb } from '#pwa/format.ts';
import type { ShownVideo } from './shown-video.ts';
import { useVideoLoss } from './use-video-loss.ts';
import { VideoGarmentNotice } from './video-garment-notice.tsx';
import { VideoPlayer } from './video-player.tsx';
import { type PlayableVideo, videosQuery } from './video-queries.ts';

export interface VideoResultProps {
  video: ShownVideo;
  /** How to go on after it. */
  next: ReactNode;
}

export function VideoResult({ video, next }: VideoResultProps) {
  const { data: premium } = useQuery(premiumStatusQuery);
  const loss = useVideoLoss(video);
  const listed = useListedVideo(video.videoId);
  const target: ShareTarget = { kind: 'video', videoId: video.videoId, pictureUrl: video.posterUrl };
  const download = useDownload(target, { generationId: video.videoId });
  return (
    <div>
      {loss ? (
        <>
          <LossNotice generationId={video.videoId} loss={loss} className="lg:mb-8" />
          <CropFrame className="stage-frame max-lg:hidden" style={frameShape(video.aspectRatio ?? '3:4')}>
            <div className="pic">
              <LostPicture />
            </div>
          </CropFrame>
        </>
      ) : (
        <VideoPlayer key={`player-${video.videoId}`} video={video} onDownload={download.start} />
      )}
      <h2 className="font-semibold text-lg mt-6">{video.isNew ? video.title : (listed?.title ?? video.title)}</h2>
      {video.isNew && listed && (
        <p className="text-sm font-medium">
          <ResultTitle title={listed.title} />
        </p>
      )}
      <p className="num text-sm text-muted">{video.details}</p>
      {premium && !loss && (
        <p className="text-sm text-muted">
          {premium.hasSuccessfulTransactions
            ? 'Коммерческое использование разрешено'
            : nb('Для ознакомления: с логотипом сервиса')}
        </p>
      )}
      <VideoGarmentNotice video={video} className="mt-4" />
      {download.dialog}
      <div className="flex flex-wrap gap-2 mt-4 *:flex-1">{next}</div>
      {!loss && (
        <div className="flex flex-wrap gap-2 mt-2">
          <StartDownload variant="second" download={download} className="flex-1" />
          <DownloadMenu download={download} />
          <ShareButton targets={[target]} generationId={video.videoId} className="flex-1" />
        </div>
      )}
      <div className="flex flex-wrap mt-2">
        {listed && <RenameButton item={{ ...listed, id: video.videoId, made: 'video' }} />}
        <ReportButton key={`report-${video.videoId}`} itemId={video.videoId} known={video.report} />
      </div>
    </div>
  );
}

/** What the history knows of a video, such as its current name. Null until the history has it. */
function useListedVideo(id: string): PlayableVideo | null {
  const { data: videos } = useQuery(videosQuery);
  return videos?.find(({ videoId }) => videoId === id) ?? null;
}

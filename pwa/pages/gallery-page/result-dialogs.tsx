import { useMutation } from '@tanstack/react-query';
import { Download, Flag, Share2, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { toast } from '#pwa/components/toast.ts';
import { DOWNLOAD_TEXTS } from '#pwa/features/downloads/download-access.ts';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { DownloadDialog } from '#pwa/features/downloads/download-dialog.tsx';
import {
  DownloadError,
  type DownloadTarget,
  downloadTarget,
  OUTCOME_TEXTS,
} from '#pwa/features/downloads/download-file.ts';
import { ShareButton } from '#pwa/features/downloads/share-button.tsx';
import { DeleteDialog } from '#pwa/features/gallery/delete-dialog.tsx';
import { type GalleryItem, toTarget } from '#pwa/features/gallery/gallery-item.ts';
import { MarketplaceDialog } from '#pwa/features/gallery/marketplace-dialog.tsx';
import type { CardActions } from '#pwa/features/gallery/result-card.tsx';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { GarmentNotice } from '#pwa/features/generations/garment-notice.tsx';
import { LikeLink } from '#pwa/features/generations/like-link.tsx';
import { LossNotice } from '#pwa/features/generations/loss-notice.tsx';
import { ReportDialog } from '#pwa/features/generations/report-dialog.tsx';
import { REPORT_TEXTS } from '#pwa/features/generations/report-texts.ts';
import { showFromHistory } from '#pwa/features/videos/shown-video.ts';
import { useVideoLoss } from '#pwa/features/videos/use-video-loss.ts';
import { VideoGarmentNotice } from '#pwa/features/videos/video-garment-notice.tsx';
import { VideoPlayer } from '#pwa/features/videos/video-player.tsx';
import type { ExportFix } from '#shared/rules/marketplaces.ts';

type VideoItem = GalleryItem & { kind: 'video' };

/** The result that each dialog of the gallery is open for; null when it is closed. */
export function useResultDialogs() {
  const [played, play] = useState<VideoItem | null>(null);
  const [toDelete, askToDelete] = useState<GalleryItem | null>(null);
  const [judged, judge] = useState<GalleryItem | null>(null);
  const [compared, compare] = useState<GalleryItem | null>(null);
  const [download, startDownload] = useState<DownloadTarget | null>(null);
  const [reported, report] = useState<GalleryItem | null>(null);
  return {
    played,
    play,
    toDelete,
    askToDelete,
    judged,
    judge,
    compared,
    compare,
    download,
    startDownload,
    reported,
    report,
  };
}

/** The actions of the cards, as a stable object, so that cards are not rendered again. */
export function useCardActions(
  { play, askToDelete, judge }: ReturnType<typeof useResultDialogs>,
  view: (id: string) => void,
  toggle: CardActions['onToggle'],
): CardActions {
  return useMemo(
    () => ({
      onOpen: (item) => (item.kind === 'image' ? view(item.id) : play(item)),
      onDelete: askToDelete,
      onMarketplaces: judge,
      onToggle: toggle,
    }),
    [play, askToDelete, judge, view, toggle],
  );
}

export interface ResultDialogsProps {
  dialogs: ReturnType<typeof useResultDialogs>;
  actions: Pick<CardActions, 'onMarketplaces' | 'onDelete'>;
  /** After the question. */
  onDelete: (item: GalleryItem) => void;
}

/** The dialogs of the gallery for one of its results. */
export function ResultDialogs({ dialogs, actions, onDelete }: ResultDialogsProps) {
  const { played, play, toDelete, askToDelete, judged, judge, compared, compare } = dialogs;
  const { download, startDownload, reported, report } = dialogs;
  const fixing = useFixForMarketplace(() => judge(null));
  /** An action of the player: it closes first, because each dialog has its own history entry. */
  const leavePlayer = (then: (item: GalleryItem) => void) => () => {
    play(null);
    if (played) then(played);
  };
  return (
    <>
      <VideoDialog
        item={played}
        onClose={() => play(null)}
        onMarketplaces={leavePlayer(actions.onMarketplaces)}
        onDelete={leavePlayer(actions.onDelete)}
        onReport={leavePlayer(report)}
      />
      <DeleteDialog item={toDelete} onClose={() => askToDelete(null)} onConfirm={onDelete} />
      <MarketplaceDialog
        item={judged}
        onClose={() => judge(null)}
        fixing={fixing.isPending ? fixing.variables.fix : null}
        onFix={(item, fix) => {
          if (item.canDownload) return fixing.mutate({ item, fix });
          judge(null);
          startDownload(toExport(item, fix));
        }}
      />
      <Dialog open={compared !== null} onOpenChange={() => compare(null)} title="Сверка с фото" size="sm">
        {compared && <GarmentNotice generationId={compared.generationId} resultId={compared.id} />}
      </Dialog>
      {reported && <ReportDialog itemId={reported.id} onClose={() => report(null)} />}
      {download && <DownloadDialog target={download} onClose={() => startDownload(null)} />}
    </>
  );
}

/** Exports a file that fits a marketplace and saves it. `onDone`: it is saved, or it is lost. */
function useFixForMarketplace(onDone: () => void) {
  const reportLoss = useLossReport();
  return useMutation({
    mutationFn: ({ item, fix }: { item: GalleryItem; fix: ExportFix }) => downloadTarget(toExport(item, fix)),
    onSuccess: (outcome) => {
      const title = OUTCOME_TEXTS[outcome];
      if (title !== null) toast({ title, tone: 'success' });
      onDone();
    },
    onError: (error, { item }) => {
      toast({
        title: 'Ошибка скачивания',
        description: error instanceof DownloadError ? error.message : DOWNLOAD_TEXTS.failed,
        tone: 'danger',
      });
      if (!(error instanceof DownloadError && error.isLost)) return;
      reportLoss(item.generationId);
      onDone();
    },
  });
}

function toExport({ id, pictureUrl }: GalleryItem, fix: ExportFix): DownloadTarget {
  return { kind: 'export', resultId: id, fix, pictureUrl };
}

interface VideoDialogProps {
  /** Null closes the dialog. */
  item: VideoItem | null;
  onClose: () => void;
  onMarketplaces: () => void;
  onDelete: () => void;
  onReport: () => void;
}

/** Plays a finished video of the gallery. */
function VideoDialog({ item, onClose, onMarketplaces, onDelete, onReport }: VideoDialogProps) {
  const shown = item && showFromHistory(item.video);
  const loss = useVideoLoss(shown);
  return (
    <Dialog
      open={item !== null}
      onOpenChange={onClose}
      title={shown?.title ?? ''}
      description={shown?.details}
      size="sm"
      footer={
        <div className="w-full flex flex-wrap gap-2 *:flex-1 *:basis-32 max-[360px]:*:!px-2">
          {item && !loss && (
            <>
              <DownloadButton target={toTarget(item)} size="sm" icon={<Download className="ic ic-s" />}>
                {item.downloadLabel}
              </DownloadButton>
              <ShareButton targets={[toTarget(item)]} size="sm" icon={<Share2 className="ic ic-s" />} />
              <Button variant="second" size="sm" onClick={onMarketplaces}>
                Для маркетплейсов
              </Button>
            </>
          )}
          {item && <LikeLink variant="second" size="sm" generationId={item.generationId} made={item.made} />}
          <Button variant="quiet" size="sm" icon={<Trash2 className="ic ic-s" />} onClick={onDelete}>
            Удалить
          </Button>
          <Button variant="quiet" size="sm" icon={<Flag className="ic ic-s" />} onClick={onReport}>
            {REPORT_TEXTS.complain}
          </Button>
        </div>
      }
    >
      {shown && (
        <div className="max-w-[340px] mx-auto">
          {loss ? (
            <LossNotice generationId={shown.videoId} loss={loss} />
          ) : (
            <VideoPlayer key={shown.videoId} video={shown} />
          )}
          <VideoGarmentNotice video={shown} className="mt-6" />
        </div>
      )}
    </Dialog>
  );
}

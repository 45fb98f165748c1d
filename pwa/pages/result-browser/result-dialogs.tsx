import { useMutation } from '@tanstack/react-query';
import { Download, Flag, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
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
import type { GalleryEntry } from '#pwa/features/gallery/gallery-entries.ts';
import { type GalleryItem, toTarget } from '#pwa/features/gallery/gallery-item.ts';
import { MarketplaceDialog } from '#pwa/features/gallery/marketplace-dialog.tsx';
import { ResultSheet } from '#pwa/features/gallery/result-sheet.tsx';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { GarmentNotice } from '#pwa/features/generations/garment-notice.tsx';
import { LikeLink } from '#pwa/features/generations/like-link.tsx';
import { LossNotice } from '#pwa/features/generations/loss-notice.tsx';
import { ReportDialog } from '#pwa/features/generations/report-dialog.tsx';
import { REPORT_TEXTS } from '#pwa/features/generations/report-texts.ts';
import { LazyPackDialog } from '#pwa/features/packs/lazy-pack-dialog.tsx';
import { AssignProductDialog } from '#pwa/features/products/assign-product-dialog.tsx';
import { RenameDialog } from '#pwa/features/renaming/rename-dialog.tsx';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { showFromHistory } from '#pwa/features/videos/shown-video.ts';
import { useMakeVideo } from '#pwa/features/videos/use-make-video.ts';
import { useVideoLoss } from '#pwa/features/videos/use-video-loss.ts';
import { VideoGarmentNotice } from '#pwa/features/videos/video-garment-notice.tsx';
import { VideoPlayer } from '#pwa/features/videos/video-player.tsx';
import { countResults, nb } from '#pwa/format.ts';
import type { ExportFix } from '#shared/rules/marketplaces.ts';

type VideoItem = GalleryItem & { kind: 'video' };

/** What each dialog of the gallery is open for; null when it is closed. */
export function useResultDialogs() {
  const [more, openMore] = useState<GalleryEntry | null>(null);
  const [played, play] = useState<VideoItem | null>(null);
  const [toDelete, askToDelete] = useState<readonly GalleryItem[] | null>(null);
  const [toAssign, assign] = useState<readonly GalleryItem[] | null>(null);
  const [toPack, pack] = useState<readonly GalleryItem[] | null>(null);
  const [toRename, rename] = useState<readonly GalleryItem[] | null>(null);
  const [judged, judge] = useState<GalleryItem | null>(null);
  const [compared, compare] = useState<GalleryItem | null>(null);
  const [download, startDownload] = useState<DownloadTarget | null>(null);
  const [reported, report] = useState<GalleryItem | null>(null);
  return {
    more,
    openMore,
    played,
    play,
    toDelete,
    askToDelete,
    toAssign,
    assign,
    toRename,
    rename,
    toPack,
    pack,
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

export interface ResultDialogsProps {
  dialogs: ReturnType<typeof useResultDialogs>;
  /** After the question. */
  onDelete: (items: readonly GalleryItem[]) => void;
  onSelect: (entry: GalleryEntry) => void;
  onUnfold: (entry: GalleryEntry) => void;
  /** After an article or names were given. */
  onChanged: () => void;
}

/** The dialogs of the gallery for its results. */
export function ResultDialogs({ dialogs, onDelete, onSelect, onUnfold, onChanged }: ResultDialogsProps) {
  const { more, openMore, played, play, toDelete, askToDelete, toAssign, assign, toRename, rename } = dialogs;
  const { toPack, pack } = dialogs;
  const { judged, judge, compared, compare, download, startDownload, reported, report } = dialogs;
  const fixing = useFixForMarketplace(() => judge(null));
  const makeVideo = useMakeVideoOffered();
  /** An action of the player: it closes first, because each dialog has its own history entry. */
  const leavePlayer = (then: (item: GalleryItem) => void) => () => {
    play(null);
    if (played) then(played);
  };
  return (
    <>
      <ResultSheet
        entry={more}
        onClose={() => openMore(null)}
        actions={{
          onMarketplaces: ([item]) => judge(item),
          onMakeVideo: makeVideo && (([item]) => makeVideo(item.id)),
          onArticle: assign,
          onRename: rename,
          onSelect,
          onUnfold,
          onCheck: ([item]) => compare(item),
          onReport: ([item]) => report(item),
          onDelete: askToDelete,
        }}
      />
      <VideoDialog
        item={played}
        onClose={() => play(null)}
        onMarketplaces={leavePlayer(judge)}
        onDelete={leavePlayer((item) => askToDelete([item]))}
        onReport={leavePlayer(report)}
      />
      <DeleteDialog items={toDelete} onClose={() => askToDelete(null)} onConfirm={onDelete} />
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
      {toPack && (
        <LazyPackDialog
          subject={{ itemIds: toPack.map(({ id }) => id) }}
          title={nb(`Выбрано: ${countResults(toPack.length)}`)}
          onClose={() => pack(null)}
        />
      )}
      {toAssign && (
        <AssignProductDialog
          itemIds={toAssign.map(({ id }) => id)}
          article={findCommonArticle(toAssign)}
          canTakeAway={toAssign.some(({ name }) => name.product !== null)}
          onClose={() => assign(null)}
          onAssigned={onChanged}
        />
      )}
      {toRename && (
        <RenameDialog
          items={toRename.map(({ id, made, name }) => ({ ...name, id, made }))}
          onClose={() => rename(null)}
          onRenamed={onChanged}
        />
      )}
      {reported && <ReportDialog itemId={reported.id} onClose={() => report(null)} />}
      {download && <DownloadDialog target={download} onClose={() => startDownload(null)} />}
    </>
  );
}

/** The article that all of them have; '' for none. */
function findCommonArticle(items: readonly GalleryItem[]): string {
  const [article = '', another] = new Set(items.map(({ name }) => name.product?.article ?? ''));
  return another === undefined ? article : '';
}

/** Opens the video page with a picture; null where no videos are made. */
function useMakeVideoOffered(): ((imageId: string) => void) | null {
  const userId = useSessionMarker()?.userId ?? 0;
  const isOffered = useOffered().includes('video');
  const { start } = useMakeVideo(userId);
  return isOffered ? start : null;
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

import { Clapperboard, Download, Flag, Share2, Trash2, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { PictureViewer } from '#pwa/components/picture-viewer.tsx';
import { useTakenParameter } from '#pwa/device/use-taken-parameter.ts';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton } from '#pwa/features/downloads/share-button.tsx';
import { type GalleryItem, toTarget } from '#pwa/features/gallery/gallery-item.ts';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { GarmentLine } from '#pwa/features/generations/garment-notice.tsx';
import { GARMENT_TEXTS, titleDrift } from '#pwa/features/generations/garment-texts.ts';
import { useGarmentChecks } from '#pwa/features/generations/generation-query.ts';
import { LikeLink } from '#pwa/features/generations/like-link.tsx';
import { LostPicture, ReturnStars } from '#pwa/features/generations/loss-notice.tsx';
import { REPORT_TEXTS } from '#pwa/features/generations/report-texts.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { useIsDrawnAnew, useOffered } from '#pwa/features/tools/tools.ts';
import { useMakeVideo } from '#pwa/features/videos/use-make-video.ts';
import { PICTURE_PARAMETER } from '#shared/rules/result-links.ts';

/** The id of the picture in the viewer, and its setter. It starts with the one that the address names. */
export function useViewedPicture() {
  const [viewedId, setViewedId] = useState<string | null>(null);
  const isAddressed = useTakenParameter(PICTURE_PARAMETER, true, setViewedId);
  // The viewer opens only after the address has changed, because an open viewer has its own history entry for «Back».
  return [isAddressed ? null : viewedId, setViewedId] as const;
}

export interface GalleryViewerProps {
  /** Null while nothing is loaded yet. */
  items: readonly GalleryItem[] | null;
  /** Null closes the viewer. */
  viewedId: string | null;
  onView: (id: string | null) => void;
  /** Compares the garment of a result with that of its photo. */
  onCheck: (item: GalleryItem) => void;
  onReport: (item: GalleryItem) => void;
  onDelete: (item: GalleryItem) => void;
  /** Fetches the next page of the list. */
  fetchMore: () => void;
}

/** The viewer for images of the gallery. Fetches more of the list when its end comes near. */
export function GalleryViewer({ items, viewedId, onView, onCheck, onReport, onDelete, fetchMore }: GalleryViewerProps) {
  const reportLoss = useLossReport();
  const viewed = viewedId === null ? [] : (items ?? []).flatMap((item) => (item.kind === 'image' ? item : []));
  const index = viewed.findIndex(({ id }) => id === viewedId);
  useEffect(() => {
    if (index >= 0 && index >= viewed.length - 2) fetchMore();
  }, [index, viewed.length, fetchMore]);
  return (
    <PictureViewer
      pictures={viewed.map(({ id, fullUrl, pictureUrl, title, loss }) => ({
        id,
        url: fullUrl,
        previewUrl: pictureUrl,
        title,
        placeholder: loss && (
          <div className="w-full max-w-xs">
            <LostPicture />
          </div>
        ),
      }))}
      onLost={() => reportLoss(null)}
      index={index < 0 ? null : index}
      onIndexChange={(next) => onView(next === null ? null : (viewed[next]?.id ?? null))}
      actions={(shown) => {
        const item = viewed[shown];
        if (!item) return null;
        const leave = (then: (item: GalleryItem) => void) => () => {
          onView(null);
          then(item);
        };
        return (
          <>
            <ViewedGarment item={item} onCheck={leave(onCheck)} />
            {item.loss ? (
              <ReturnStars key={item.id} variant="plate" generationId={item.generationId} loss={item.loss} />
            ) : (
              <>
                <TakeAway key={`take-${item.id}`} item={item} />
                <MakeVideoButton key={item.id} imageId={item.id} />
              </>
            )}
            <LikeLink variant="plate" size="sm" generationId={item.generationId} made={item.made} />
            <Button variant="plate" size="sm" icon={<Trash2 className="ic ic-s" />} onClick={leave(onDelete)}>
              Удалить
            </Button>
            <Button variant="plate" size="sm" icon={<Flag className="ic ic-s" />} onClick={leave(onReport)}>
              {REPORT_TEXTS.complain}
            </Button>
          </>
        );
      }}
    />
  );
}

function TakeAway({ item }: { item: GalleryItem }) {
  const target = toTarget(item);
  const look = { variant: 'plate', size: 'sm' } as const;
  return (
    <>
      <DownloadButton {...look} target={target} icon={<Download className="ic ic-s" />}>
        {item.downloadLabel}
      </DownloadButton>
      <ShareButton {...look} targets={[target]} icon={<Share2 className="ic ic-s" />} />
    </>
  );
}

/** Makes the picture the photo of a new video. */
function MakeVideoButton({ imageId }: { imageId: string }) {
  const userId = useSessionMarker()?.userId ?? null;
  const isOffered = useOffered().includes('video');
  return userId !== null && isOffered && <OfferedVideo {...{ userId, imageId }} />;
}

function OfferedVideo({ userId, imageId }: { userId: number; imageId: string }) {
  const { start, isPending } = useMakeVideo(userId);
  return (
    <Button
      variant="plate"
      size="sm"
      icon={<Clapperboard className="ic ic-s" />}
      loading={isPending}
      loadingText="Готовим фото…"
      onClick={() => start(imageId)}
    >
      Сделать видео
    </Button>
  );
}

interface ViewedGarmentProps {
  item: GalleryItem;
  onCheck: () => void;
}

/** Whether the shown result has the garment of its photo. Nothing is asked about a result that nobody has compared. */
function ViewedGarment({ item, onCheck }: ViewedGarmentProps) {
  const isDrawnAnew = useIsDrawnAnew(item.made);
  return (item.hasDrifted || isDrawnAnew) && <ComparedGarment item={item} onCheck={onCheck} />;
}

function ComparedGarment({ item: { id, generationId, hasDrifted }, onCheck }: ViewedGarmentProps) {
  const check = useGarmentChecks(generationId)?.results.find((result) => result.id === id)?.garmentCheck;
  if (hasDrifted || check?.verdict === 'drifted') {
    return (
      <Button variant="plate" size="sm" icon={<TriangleAlert className="ic ic-s" />} onClick={onCheck}>
        {check ? titleDrift(check.drifts) : GARMENT_TEXTS.check}
      </Button>
    );
  }
  return (
    check && (
      <div role="status" className="basis-full grid justify-center">
        <GarmentLine checks={[check]} className="" />
      </div>
    )
  );
}

import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { useThrottledText } from '#pwa/device/use-clock.ts';
import { CancelButton } from '#pwa/features/generations/cancel-button.tsx';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { POLL_FAILED } from '#pwa/features/generations/generation-tool.ts';
import { RemoteStages } from '#pwa/features/generations/remote-stages.tsx';
import { useRunning } from '#pwa/features/generations/use-running.ts';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { formatClock, nb } from '#pwa/format.ts';
import { countFramesMade } from '#shared/rules/tool-abilities.ts';
import { FrameStrip } from './frame-strip.tsx';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';
import { ALL_POSITIONS, type FollowedSession, type PhotosessionFrame } from './photosession-tool.ts';
import type { PhotosessionTool } from './use-photosession-tool.ts';

const ANNOUNCE_INTERVAL_MS = 15_000;

export interface PhotosessionProgressProps {
  followed: FollowedSession;
  control: PhotosessionTool['control'];
  onEnlarge: (image: PhotosessionFrame) => void;
}

/** A running session: its progress, the finished frames, and the button that cancels it. */
export function PhotosessionProgress({ followed, control, onEnlarge }: PhotosessionProgressProps) {
  const { isOnline } = control;
  const frameSort = useFrameSort();
  const isRemote = followed.progress?.isRemote ?? false;
  const { elapsed, share, percent, hint } = useRunning('photosession', followed);
  const images = followed.view?.results ?? [];
  const positions = followed.view?.positions ?? ALL_POSITIONS;
  const ready = followed.view && `готово ${images.length} из ${positions.length}`;
  const announced = useThrottledText(
    [PHOTOSESSION_TEXTS.processing, ready, `прошло ${formatClock(elapsed)}`].filter(Boolean).join(', '),
    ANNOUNCE_INTERVAL_MS,
  );
  return (
    <div>
      <p className="sr-only" role="status">
        {announced}
      </p>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold text-lg">{PHOTOSESSION_TEXTS.processing}</h2>
        <p className="num text-sm text-muted">
          {[percent, `прошло ${formatClock(elapsed)}`].filter(Boolean).join(' · ')}
        </p>
      </div>
      {isRemote ? (
        <RemoteStages
          status={followed.status}
          share={share}
          label="Ход фотосессии"
          isStill={!isOnline}
          className="mt-3 mb-2"
        />
      ) : (
        <StitchProgress value={share} label="Ход фотосессии" still={!isOnline} className="my-3" />
      )}
      {isOnline ? (
        <p className="text-muted">{nb(`Готовим ${countFramesMade(frameSort, positions.length)}. ${hint}`)}</p>
      ) : (
        <p className="text-muted">Ждём сеть. Генерация продолжается на сервере.</p>
      )}
      {isOnline && followed.failuresInARow > 0 && (
        <Notice
          tone="warning"
          className="mt-4"
          title={POLL_FAILED.title}
          action={
            <Button
              variant="second"
              size="sm"
              loading={followed.isAsking}
              loadingText="Проверяем…"
              onClick={control.checkAgain}
            >
              Повторить
            </Button>
          }
        >
          {POLL_FAILED.description}. Генерация продолжается на сервере.
        </Notice>
      )}
      {followed.view?.rerollOf && <p className="text-muted">{nb(GARMENT_TEXTS.freeWait)}</p>}
      <FrameStrip positions={positions} images={images} onEnlarge={onEnlarge} />
      <CancelButton variant="second" control={control} className="mt-6" />
    </div>
  );
}

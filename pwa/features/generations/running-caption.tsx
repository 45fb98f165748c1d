import type { ReactNode } from 'react';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { useThrottledText } from '#pwa/device/use-clock.ts';
import { formatClock } from '#pwa/format.ts';
import type { GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { RemoteStages } from './remote-stages.tsx';

const ANNOUNCE_INTERVAL_MS = 15_000;
const LABEL = 'Ход генерации';

export interface RunningCaptionProps {
  generationId: string;
  title: string;
  elapsedSeconds: number;
  /** The progress in words. */
  work: string | null;
  /** The progress for screen readers, when that needs more words. */
  announcedWork?: string | null;
  /** The progress, 0 to 1; null when unknown. */
  share: number | null;
  /** The status of a remote engine's work, whose stages are shown; null for the local one. */
  remoteStatus: GenerationStatus | null;
  /** Stops the animation while the server does not answer. */
  isStill: boolean;
  children: ReactNode;
}

/** The caption of a running generation over its source photo: the stage, the elapsed time and the progress. */
export function RunningCaption(props: RunningCaptionProps) {
  const {
    generationId,
    title,
    elapsedSeconds,
    work,
    announcedWork = work,
    share,
    remoteStatus,
    isStill,
    children,
  } = props;
  const elapsed = `прошло ${formatClock(elapsedSeconds)}`;
  const announced = useThrottledText([title, elapsed, announcedWork].filter(Boolean).join(', '), ANNOUNCE_INTERVAL_MS);
  return (
    <div>
      <p className="sr-only" role="status">
        {announced}
      </p>
      <p className="num text-xs opacity-85 flex justify-between gap-3">
        <span>{`${shortId(generationId)} · ${elapsed}`}</span>
        {work && <span>{work}</span>}
      </p>
      <p className="display text-[1.75rem] leading-8 mt-1">{title}</p>
      {remoteStatus === null ? (
        <StitchProgress
          value={share}
          label={LABEL}
          still={isStill}
          className={`my-4 ${share === null ? '' : 'stage-track'}`}
        />
      ) : (
        <RemoteStages status={remoteStatus} share={share} label={LABEL} isStill={isStill} className="mt-4 mb-3" />
      )}
      {children}
    </div>
  );
}

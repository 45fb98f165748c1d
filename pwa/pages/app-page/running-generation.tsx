import silhouette from '#pwa/assets/art/sil1.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { formatDuration, formatMoment, nb } from '#pwa/lib/format.ts';
import { fromSource } from '#pwa/lib/link-source.ts';
import { toDeviceTime } from '#pwa/lib/server-clock.ts';
import { useFrameSort } from '#pwa/lib/tools.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { describeRunning } from './describe-running.ts';

interface RunningGenerationProps {
  generation: ActiveGeneration;
  /** When the server last reported, in milliseconds since 1970; null while there is a network. */
  toldAt: number | null;
}

/** A running generation, and the way back to it. */
export default function RunningGeneration({ generation, toldAt }: RunningGenerationProps) {
  const elapsedSeconds = Math.max(0, Date.now() - toDeviceTime(generation.progress.startedAt)) / 1000;
  const { title, path, stage, wait } = describeRunning(generation, useFrameSort(), elapsedSeconds);
  return (
    <section className="panel overflow-hidden mb-8" aria-label={title}>
      <div className="flex flex-wrap items-center gap-x-3 md:gap-x-5 gap-y-2 p-3 md:p-4 md:pr-5">
        {generation.thumbnailUrl ? (
          <ResultPicture url={generation.thumbnailUrl} alt="" className="w-12 h-16 object-cover rounded-print" />
        ) : (
          <span className="w-12 h-16 rounded-print bg-sunken">
            <img src={silhouette} alt="" className="size-full object-contain sil" />
          </span>
        )}
        <div className="min-w-0 flex-1 basis-32">
          <h2 className="font-semibold">{title}</h2>
          <div className="text-sm text-muted">
            <span className="num">{shortId(generation.generationId)}</span> · {stage}
            <span className="max-md:hidden num">, прошло {formatDuration(elapsedSeconds)}</span>
          </div>
        </div>
        {toldAt === null ? (
          <span className="text-sm text-muted max-md:hidden">{wait}</span>
        ) : (
          <span className="text-sm text-muted">{nb(`Нет связи, данные от ${formatMoment(toldAt)}`)}</span>
        )}
        <ButtonLink
          to={path}
          state={fromSource('resume_strip')}
          variant="second"
          size="sm"
          aria-label="Восстановить отслеживание"
        >
          <span>
            Восстановить<span className="max-md:hidden"> отслеживание</span>
          </span>
        </ButtonLink>
      </div>
      <StitchProgress label={title} />
    </section>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import { CHANGED_BY } from '#pwa/client/query-keys.ts';
import { ButtonLink } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { toDeviceTime } from '#pwa/device/server-clock.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { activeGenerationsQuery } from '#pwa/features/generations/active-generations-query.ts';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { formatDuration, formatMoment, nb } from '#pwa/format.ts';
import { fromSource } from '#pwa/paths.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { POLL_INTERVAL_MS } from '#shared/rules/generation-lifecycle.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { describeRunning } from './describe-running.ts';

/** One strip for each running generation. When one ends, the results and the balance are fetched again. */
export function ResumeStrips() {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const { data, dataUpdatedAt } = useQuery({
    ...activeGenerationsQuery,
    refetchInterval: ({ state }) => (state.data?.activeGenerations.length ? POLL_INTERVAL_MS : false),
  });
  const count = data?.activeGenerations.length;
  const previousCount = useRef(count);
  useEffect(() => {
    if (count !== undefined && previousCount.current !== undefined && count < previousCount.current) {
      for (const queryKey of CHANGED_BY.end) void queryClient.invalidateQueries({ queryKey });
    }
    previousCount.current = count;
  }, [count, queryClient]);
  if (!data) return null;
  return data.activeGenerations.map((generation) => (
    <ResumeStrip key={generation.id} generation={generation} toldAt={isOnline ? null : dataUpdatedAt} />
  ));
}

interface ResumeStripProps {
  generation: ActiveGeneration;
  /** When the server last reported, in milliseconds since 1970; null while there is a network. */
  toldAt: number | null;
}

function ResumeStrip({ generation, toldAt }: ResumeStripProps) {
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

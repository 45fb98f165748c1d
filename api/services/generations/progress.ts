import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import {
  explainFreeFailure,
  GENERATION_FAILURES,
  type GenerationKind,
  isFinal,
  readFailureCode,
} from '#shared/rules/generation-lifecycle.ts';

/** How many recent runs the median is computed from. */
const ESTIMATE_RUNS = 20;

interface Work {
  kind: GenerationKind;
  /** Name of the engine. */
  engine: string;
  /** Length of the video in seconds. Null for pictures. */
  videoSeconds: number | null;
}

/**
 * Median duration of recent runs of the same work, from request to result, in whole seconds. Null without any. Re-rolls
 * are not counted, because they may make fewer outputs.
 */
export async function estimateSeconds(
  app: Pick<AppContext, 'db'>,
  { kind, engine, videoSeconds }: Work,
): Promise<number | null> {
  // The expression of the index in the migrations, so that only the counted runs are read, however many there are.
  const duration = videoSeconds === null ? '' : String(videoSeconds);
  const [row] = await app.db.$queryRaw<[{ median: number | null }]>`
    select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at))::float as median
    from (
      select finished_at, created_at from generations
      where kind = ${kind}::generation_kind and engine = ${engine} and status = 'completed' and reroll_of_id is null
        and coalesce(settings ->> 'duration', '') = ${duration}
      order by created_at desc limit ${ESTIMATE_RUNS}
    ) as recent`;
  return row.median === null ? null : Math.max(1, Math.round(row.median));
}

/** The progress of a generation. The estimate is only included while it runs. */
export function getProgress(
  { engines }: Pick<AppContext, 'engines'>,
  generation: Pick<Generation, 'progressShare' | 'createdAt' | 'finishedAt' | 'expectedSeconds' | 'status' | 'engine'>,
) {
  return {
    share: generation.progressShare,
    startedAt: generation.createdAt.toISOString(),
    finishedAt: generation.finishedAt?.toISOString() ?? null,
    expectedSeconds: isFinal(generation.status) ? null : generation.expectedSeconds,
    isRemote: engines.find(generation.engine)?.photosTravel !== 'nowhere',
  };
}

/** The reason for a failure in words. Null unless the generation failed. */
export function describeFailure({
  status,
  failureCode,
  stars,
}: Pick<Generation, 'status' | 'failureCode' | 'stars'>): string | null {
  if (status !== 'failed') return null;
  const code = readFailureCode(failureCode ?? 'engine_error');
  return stars === 0 ? explainFreeFailure(code) : GENERATION_FAILURES[code];
}

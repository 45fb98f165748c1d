import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import {
  GENERATION_FAILURES,
  type GenerationFailureCode,
  type GenerationKind,
  isFinal,
} from '#shared/rules/generation-lifecycle.ts';

/** Recent runs whose median is the honest estimate. */
const ESTIMATE_RUNS = 20;

interface Work {
  kind: GenerationKind;
  /** Name of the engine that does it. */
  engine: string;
  /** Seconds of the video that is made; null for pictures. */
  videoSeconds: number | null;
}

/** Whole seconds that recent runs of the same work took in the median, from request to result; null without any. */
export async function estimateSeconds(
  app: Pick<AppContext, 'db'>,
  { kind, engine, videoSeconds }: Work,
): Promise<number | null> {
  // As the index of the migrations has it, so that however long the past is, no more runs are read than are counted.
  const duration = videoSeconds === null ? '' : String(videoSeconds);
  const [row] = await app.db.$queryRaw<[{ median: number | null }]>`
    select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at))::float as median
    from (
      select finished_at, created_at from generations
      where kind = ${kind}::generation_kind and engine = ${engine} and status = 'completed'
        and coalesce(settings ->> 'duration', '') = ${duration}
      order by created_at desc limit ${ESTIMATE_RUNS}
    ) as recent`;
  return row.median === null ? null : Math.max(1, Math.round(row.median));
}

/** How far a generation is; the estimate only while it runs. */
export function getProgress(generation: Generation) {
  return {
    share: generation.progressShare,
    startedAt: generation.createdAt.toISOString(),
    finishedAt: generation.finishedAt?.toISOString() ?? null,
    expectedSeconds: isFinal(generation.status) ? null : generation.expectedSeconds,
  };
}

/** Why a generation failed, in words; null unless it has. */
export function describeFailure({ status, failureCode }: Generation): string | null {
  return status === 'failed' ? GENERATION_FAILURES[failureCode as GenerationFailureCode] : null;
}

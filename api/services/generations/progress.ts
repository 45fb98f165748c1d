import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import {
  explainFreeFailure,
  GENERATION_FAILURES,
  type GenerationKind,
  isFinal,
  readFailureCode,
} from '#shared/rules/generation-lifecycle.ts';

interface Work {
  kind: GenerationKind;
  /** Name of the engine. */
  engine: string;
  /** Length of the video in seconds. Null for pictures. */
  videoSeconds: number | null;
}

/**
 * Median duration of recent runs of the same work, from request to result, in whole seconds. Null without any. A trigger
 * of the generations keeps it.
 */
export async function estimateSeconds(
  app: Pick<AppContext, 'db'>,
  { kind, engine, videoSeconds }: Work,
): Promise<number | null> {
  const duration = videoSeconds === null ? '' : String(videoSeconds);
  const known = await app.db.workEstimate.findUnique({
    where: { kind_engine_duration: { kind, engine, duration } },
    select: { expectedSeconds: true },
  });
  return known?.expectedSeconds ?? null;
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

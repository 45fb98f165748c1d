import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import {
  explainFreeFailure,
  GENERATION_FAILURES,
  isFinal,
  readFailureCode,
} from '#shared/rules/generation-lifecycle.ts';

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

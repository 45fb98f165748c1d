import { resultKindOf } from '#api/services/core/result-kind.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { RESULT_KINDS, type ResultKind } from '#shared/rules/tools.ts';

/** Copied from the generation into each result, so that a list reads no generation for every row. */
export function copyOrigin(generation: Pick<Generation, 'createdAt' | 'kind' | 'settings'>): {
  startedAt: Date;
  made: ResultKind;
} {
  return { startedAt: generation.createdAt, made: resultKindOf(generation) };
}

/** What a result is. One whose kind of result is no longer known is shown as what its tool makes. */
export function madeOf({ made, kind }: Pick<Result, 'made' | 'kind'>): ResultKind {
  return RESULT_KINDS.find((known) => known === made) ?? kind;
}

import type { Db, Tx } from '#api/db.ts';
import { type ResultKindSources, resultKindOf } from '#api/services/ground/result-kind.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { RESULT_KINDS, type ResultKind } from '#shared/rules/tools.ts';

/** What a list of results shows of the generation behind each. */
interface ResultOrigin {
  startedAt: Date;
  made: ResultKind;
}

type OriginalGeneration = Pick<Generation, 'createdAt' | 'kind' | 'settings'>;

/** Copied into each result, so that a list reads no generation for every row. */
export function copyOrigin(app: ResultKindSources, generation: OriginalGeneration): ResultOrigin {
  return { startedAt: generation.createdAt, made: resultKindOf(app, generation) };
}

/**
 * The origins of these results, by result id. A row without a copy was written by a version before the columns, which
 * may still run during an upgrade; then the generation is read.
 */
export async function readOrigins(
  app: { db: Db | Tx } & ResultKindSources,
  results: readonly Pick<Result, 'id' | 'generationId' | 'startedAt' | 'made'>[],
): Promise<Map<string, ResultOrigin>> {
  const origins = new Map<string, ResultOrigin>();
  const rest: (typeof results)[number][] = [];
  for (const result of results) {
    const made = RESULT_KINDS.find((kind) => kind === result.made);
    if (made && result.startedAt) origins.set(result.id, { made, startedAt: result.startedAt });
    else rest.push(result);
  }
  if (rest.length === 0) return origins;
  const generations = await app.db.generation.findMany({
    where: { id: { in: rest.map(({ generationId }) => generationId) } },
    select: { id: true, createdAt: true, kind: true, settings: true },
  });
  for (const generation of generations) {
    const origin = copyOrigin(app, generation);
    for (const { id, generationId } of rest) if (generationId === generation.id) origins.set(id, origin);
  }
  return origins;
}

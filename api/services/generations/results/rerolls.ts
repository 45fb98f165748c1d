import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { drawsGarmentsAnew } from '#api/services/core/tool-abilities.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GarmentFinding } from './garment-checks.ts';

type RerolledGeneration = Pick<Generation, 'kind' | 'status' | 'rerollOfId'>;

/**
 * Which outputs a re-roll of this generation would make again: those that have drifted. Empty unless all visible
 * results are compared, because only one re-roll is free. `results`: the visible ones. `repaid`: positions whose price
 * has come back, which are not made again free of charge.
 */
export function choosePositions(
  { engines }: Pick<AppContext, 'engines'>,
  { kind, status, rerollOfId }: RerolledGeneration,
  results: readonly Pick<Result, 'id' | 'position'>[],
  findings: ReadonlyMap<string, GarmentFinding>,
  repaid: ReadonlySet<number>,
): number[] {
  const engine = engines.of(kind);
  if (status !== 'completed' || rerollOfId !== null || !engine || !drawsGarmentsAnew(engine, kind)) return [];
  const verdictOf = ({ id }: Pick<Result, 'id'>) => findings.get(id)?.verdict;
  if (results.some((result) => verdictOf(result) === 'pending')) return [];
  const drifted = results.filter((result) => verdictOf(result) === 'drifted').map(({ position }) => position);
  return drifted.filter((position) => !repaid.has(position));
}

interface RerollFacts {
  /** The visible ones. */
  results: readonly Pick<Result, 'id' | 'position'>[];
  /** By result id. */
  findings: ReadonlyMap<string, GarmentFinding>;
  /** Positions whose price has come back. */
  repaid: ReadonlySet<number>;
  /** Id of the re-roll that was started, if any. */
  rerollId: string | null;
  /** Whether its photos are still there. */
  hasPhotos: boolean;
}

/** How a generation stands to its free re-roll. */
export function describeReroll(
  app: Pick<AppContext, 'engines'>,
  generation: RerolledGeneration,
  { results, findings, repaid, rerollId, hasPhotos }: RerollFacts,
): Pick<GenerationView, 'reroll' | 'rerollOf' | 'rerolledBy'> {
  const { rerollOfId: rerollOf } = generation;
  const hasDrifted = results.some((result) => findings.get(result.id)?.verdict === 'drifted');
  if (hasDrifted && rerollOf === null && rerollId) return { reroll: 'used', rerollOf, rerolledBy: rerollId };
  const isOffered = hasPhotos && choosePositions(app, generation, results, findings, repaid).length > 0;
  return { reroll: isOffered ? 'offered' : 'not_offered', rerollOf, rerolledBy: null };
}

/**
 * Positions of outputs that are being made or have been made again free of charge, in place of their price, by generation
 * id. Those that a completed re-roll has missed are not among them.
 */
export async function listRerolledPositions(
  db: Pick<Tx, 'generation'>,
  generationIds: readonly string[],
): Promise<Map<string, ReadonlySet<number>>> {
  const rerolls = await db.generation.findMany({
    where: { rerollOfId: { in: [...generationIds] }, status: { not: 'failed' } },
    select: { rerollOfId: true, positions: true, missedPositions: true },
  });
  return new Map(
    rerolls.map(({ rerollOfId, positions, missedPositions }) => [
      rerollOfId ?? '',
      new Set(positions.filter((position) => !missedPositions.includes(position))),
    ]),
  );
}

import type { AppContext } from '#api/services/app-context.ts';
import { drawsGarmentsAnew } from '#api/services/ground/tool-abilities.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { findReroll } from './find-generation.ts';
import type { GarmentFinding } from './garment-checks.ts';

/**
 * Which outputs a re-roll of this generation would make again: those that have drifted. Empty unless all visible
 * results are compared, because only one re-roll is free. `results`: the visible ones.
 */
export function choosePositions(
  { engines }: Pick<AppContext, 'engines'>,
  { kind, status, rerollOfId }: Generation,
  results: readonly Pick<Result, 'id' | 'position'>[],
  findings: ReadonlyMap<string, GarmentFinding>,
): number[] {
  const engine = engines.of(kind);
  if (status !== 'completed' || rerollOfId !== null || !engine || !drawsGarmentsAnew(engine, kind)) return [];
  const verdictOf = ({ id }: Pick<Result, 'id'>) => findings.get(id)?.verdict;
  if (results.some((result) => verdictOf(result) === 'pending')) return [];
  return results.filter((result) => verdictOf(result) === 'drifted').map(({ position }) => position);
}

/** How a generation stands to its free re-roll. `results`: the visible ones. */
export async function describeReroll(
  app: Pick<AppContext, 'db' | 'engines'>,
  generation: Generation,
  results: readonly Pick<Result, 'id' | 'position'>[],
  findings: ReadonlyMap<string, GarmentFinding>,
): Promise<Pick<GenerationView, 'reroll' | 'rerollOf' | 'rerolledBy'>> {
  const { id, rerollOfId: rerollOf } = generation;
  const hasDrifted = results.some((result) => findings.get(result.id)?.verdict === 'drifted');
  const reroll = hasDrifted && rerollOf === null ? await findReroll(app.db, id) : null;
  if (reroll) return { reroll: 'used', rerollOf, rerolledBy: reroll.id };
  const isOffered = choosePositions(app, generation, results, findings).length > 0;
  return { reroll: isOffered ? 'offered' : 'not_offered', rerollOf, rerolledBy: null };
}

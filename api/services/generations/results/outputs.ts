import type { Generation } from '#prisma/generated/client.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** Indexes of the outputs that a generation makes: all of its tool, or for a re-roll those that are made again. */
export function listPositions({ kind, positions }: Pick<Generation, 'kind' | 'positions'>): number[] {
  if (positions.length > 0) return positions;
  return Array.from({ length: TOOLS[kind].outputs.count }, (_, index) => index);
}

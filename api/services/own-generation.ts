import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { isUuid } from './uuid.ts';

/** A generation of this account with the results that are not deleted, in their order. Throws generation_not_found. */
export async function getOwnGeneration(
  db: Db | Tx,
  { accountId, kind, id }: { accountId: number; kind: GenerationKind; id: string },
): Promise<Generation & { results: Result[] }> {
  const generation = isUuid(id)
    ? await db.generation.findFirst({
        where: { id, accountId, kind },
        include: { results: { where: { deletedAt: null }, orderBy: { position: 'asc' } } },
      })
    : null;
  if (!generation) throw new AppError('generation_not_found');
  return generation;
}

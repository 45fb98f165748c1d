import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { Result } from '#prisma/generated/client.ts';
import { isUuid } from './uuid.ts';

/** One file of a generation that this account owns and has not deleted. Throws generation_not_found. */
export async function getOwnResult(
  db: Db | Tx,
  accountId: number,
  { generationId, position }: { generationId: string; position: number },
): Promise<Result> {
  const result = isUuid(generationId)
    ? await db.result.findFirst({ where: { generationId, position, generation: { accountId, deletedAt: null } } })
    : null;
  if (!result) throw new AppError('generation_not_found');
  return result;
}

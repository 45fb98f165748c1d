import type { Db, Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
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

/** A generation of this account, of whatever kind and however far. Throws generation_not_found. */
export async function getOwnStarted(db: Db | Tx, accountId: number, id: string): Promise<Generation> {
  const generation = isUuid(id) ? await db.generation.findFirst({ where: { id, accountId } }) : null;
  if (!generation) throw new AppError('generation_not_found');
  return generation;
}

/** Whether anything of this account is being made. */
export async function hasUnderWay(db: Db | Tx, accountId: number): Promise<boolean> {
  return (await db.generation.count({ where: { accountId, status: { in: [...ACTIVE_STATUSES] } } })) > 0;
}

export type { Generation, Result };
/** With results, in their order. */
export type FinishedGeneration = Generation & { results: [Result, ...Result[]] };

/** A finished generation of this account, of whatever kind, that still has results. Throws generation_not_found. */
export async function getFinishedGeneration(db: Db | Tx, accountId: number, id: string): Promise<FinishedGeneration> {
  const { kind } = await getOwnStarted(db, accountId, id);
  const generation = await getOwnGeneration(db, { accountId, kind, id });
  const [first, ...rest] = generation.results;
  if (generation.status !== 'completed' || !first) throw new AppError('generation_not_found');
  return { ...generation, results: [first, ...rest] };
}

/** Finished generations of this account that still have results, newest first. */
export function listFinishedGenerations(
  db: Db | Tx,
  accountId: number,
  page: { skip: number; take: number },
): Promise<Generation[]> {
  return db.generation.findMany({
    where: { accountId, status: 'completed', results: { some: { deletedAt: null } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    ...page,
  });
}

/** Anybody's generation, for what is done without its owner; null when it is gone. */
export function findGeneration(db: Db | Tx, id: string): Promise<Generation | null> {
  return db.generation.findUnique({ where: { id } });
}

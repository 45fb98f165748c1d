import type { Db, Tx } from '#api/database/database.ts';
import { isUuid } from '#api/platform/uuid.ts';
import { type OwnedNoun, refuseUnknown, requireOwn } from '#api/services/core/ownership.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/**
 * A generation of this account, of one of the kinds, with its visible results in order. Throws `<noun>_not_found`,
 * `<noun>_forbidden`.
 */
export async function getOwnGeneration(
  db: Db | Tx,
  { accountId, kinds, id }: { accountId: number; kinds: readonly GenerationKind[]; id: string },
  noun: OwnedNoun = 'generation',
): Promise<Generation & { results: Result[] }> {
  const found = isUuid(id)
    ? await db.generation.findUnique({
        where: { id },
        include: { results: { where: { deletedAt: null }, orderBy: { position: 'asc' } } },
      })
    : null;
  const generation = requireOwn(noun, accountId, found);
  return kinds.includes(generation.kind) ? generation : refuseUnknown(noun);
}

/** A generation of this account, of any kind and in any status. Throws `<noun>_not_found`, `<noun>_forbidden`. */
export async function getOwnGenerationOfAnyKind(
  db: Db | Tx,
  accountId: number,
  id: string,
  noun: OwnedNoun = 'generation',
): Promise<Generation> {
  return requireOwn(noun, accountId, isUuid(id) ? await findGeneration(db, id) : null);
}

/** Whether the account has an active generation. */
export async function hasActiveGeneration(db: Db | Tx, accountId: number): Promise<boolean> {
  return (await db.generation.count({ where: { accountId, status: { in: [...ACTIVE_STATUSES] } } })) > 0;
}

export type { Generation, Result };
/** Has results, in order. */
export type FinishedGeneration = Generation & { results: [Result, ...Result[]] };

/**
 * A finished generation of this account, of any kind, that still has results. Throws generation_not_found,
 * generation_forbidden.
 */
export async function getFinishedGeneration(db: Db | Tx, accountId: number, id: string): Promise<FinishedGeneration> {
  const generation = await getOwnGeneration(db, { accountId, kinds: GENERATION_KINDS, id });
  const [first, ...rest] = generation.results;
  if (generation.status !== 'completed' || !first) return refuseUnknown('generation');
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

/**
 * The free re-roll of a generation. One that has failed or was cancelled has made nothing: it may be repeated and does
 * not count. Null when there is none.
 */
export function findReroll(db: Db | Tx, generationId: string): Promise<Generation | null> {
  return db.generation.findFirst({ where: { rerollOfId: generationId, status: { not: 'failed' } } });
}

/** A generation of any account, for work without its owner. Null when it does not exist. */
export function findGeneration(db: Db | Tx, id: string): Promise<Generation | null> {
  return db.generation.findUnique({ where: { id } });
}

import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { isUuid } from '#api/services/ground/uuid.ts';
import type { Account, Generation, Photo } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';

/** What a start has to know of its account. */
export interface StartFacts {
  account: Pick<Account, 'consentVersion' | 'transferConsentVersion' | 'deletionAskedAt'>;
  /** Those of the asked photos that exist, of any account. A picked result that is deleted for good does not. */
  photos: Photo[];
  /** Whether the account has paid. */
  isPremium: boolean;
  /** The generation that the same request has started before. */
  repeated: RepeatedGeneration | null;
}

export type RepeatedGeneration = Pick<Generation, 'id' | 'requestHash'>;

interface AskedStart {
  accountId: number;
  kind: GenerationKind;
  photoIds: readonly string[];
  idempotencyKey: string | null;
  /** The generation whose outputs the start makes again. Null for an ordinary one. */
  rerollOfId: string | null;
}

/** Reads what a start has to know of its account. */
export async function readStartFacts(app: Pick<AppContext, 'db' | 'payments'>, asked: AskedStart): Promise<StartFacts> {
  const { db } = app;
  const keptSince = new Date(Date.now() - DELETED_KEPT_MS);
  const [account, photos, { isPremium }, repeated] = await Promise.all([
    db.account.findUniqueOrThrow({
      where: { id: asked.accountId },
      select: { consentVersion: true, transferConsentVersion: true, deletionAskedAt: true },
    }),
    db.photo.findMany({
      where: {
        id: { in: asked.photoIds.filter(isUuid) },
        OR: [{ resultId: null }, { result: { deletedAt: null } }, { result: { deletedAt: { gte: keptSince } } }],
      },
    }),
    getPremiumStatus(app, asked.accountId),
    findRepeated(app, asked),
  ]);
  return { account, photos, isPremium, repeated };
}

/**
 * A generation that the same request has started. A re-roll is started once, whatever the key. One that has failed or
 * was cancelled has made nothing and may be repeated.
 */
export async function findRepeated(
  { db }: Pick<AppContext, 'db'>,
  { accountId, kind, idempotencyKey, rerollOfId }: Omit<AskedStart, 'photoIds'>,
): Promise<RepeatedGeneration | null> {
  const select = { id: true, requestHash: true } as const;
  if (rerollOfId !== null) return db.generation.findFirst({ where: { rerollOfId, status: { not: 'failed' } }, select });
  if (idempotencyKey === null) return null;
  return db.generation.findUnique({
    where: { accountId_kind_idempotencyKey: { accountId, kind, idempotencyKey } },
    select,
  });
}

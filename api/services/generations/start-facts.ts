import type { AppContext } from '#api/services/app-context.ts';
import { readOfAccount, reviveDates } from '#api/services/ground/account-read.ts';
import { countPremiumPayments } from '#api/services/ground/premium-status.ts';
import { isUuid } from '#api/services/ground/uuid.ts';
import { PHOTO_COLUMNS } from '#api/services/photos/photos.ts';
import { type Account, type Photo, Prisma } from '#prisma/generated/client.ts';
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

export interface RepeatedGeneration {
  id: string;
  /** In hexadecimal digits. */
  requestHash: string;
}

interface AskedStart {
  accountId: number;
  kind: GenerationKind;
  photoIds: readonly string[];
  idempotencyKey: string | null;
  /** The generation whose outputs the start makes again. Null for an ordinary one. */
  rerollOfId: string | null;
}

/** One statement, because every start asks for all of it. */
export function readStartFacts(app: Pick<AppContext, 'payments' | 'query'>, asked: AskedStart): Promise<StartFacts> {
  const photoIds = asked.photoIds.filter(isUuid);
  const goneSince = new Date(Date.now() - DELETED_KEPT_MS);
  return readOfAccount(app, asked.accountId, {
    sql: Prisma.sql`
      select json_build_object(
        'account', json_build_object('consentVersion', consent_version, 'deletionAskedAt', deletion_asked_at,
                                     'transferConsentVersion', transfer_consent_version),
        'isPremium', ${countPremiumPayments(app)} > 0,
        'photos', (
          select coalesce(json_agg(photo), '[]') from (
            select ${PHOTO_COLUMNS} from photos where id = any(${photoIds}::uuid[]) and not exists (
              select from results where results.id = photos.result_id and results.deleted_at < ${goneSince}
            )
          ) as photo
        ),
        'repeated', (
          select json_build_object('id', id, 'requestHash', encode(request_hash, 'hex'))
          from generations where ${matchRepeated(asked)} limit 1
        )
      ) from accounts where accounts.id = account.id`,
    parse: (json) => {
      const facts = json as StartFacts;
      reviveDates(facts.account, 'deletionAskedAt');
      for (const photo of facts.photos) reviveDates(photo, 'createdAt');
      return facts;
    },
  });
}

/**
 * A generation that the same request has started. A re-roll is started once, whatever the key. One that has failed or
 * was cancelled has made nothing and may be repeated.
 */
function matchRepeated({ kind, idempotencyKey, rerollOfId }: AskedStart): Prisma.Sql {
  if (rerollOfId !== null) return Prisma.sql`reroll_of_id = ${rerollOfId}::uuid and status <> 'failed'`;
  if (idempotencyKey === null) return Prisma.sql`false`;
  return Prisma.sql`
    account_id = account.id and kind = ${kind}::generation_kind and idempotency_key = ${idempotencyKey}`;
}

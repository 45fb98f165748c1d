import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isErasedKey } from '#api/services/core/erased-key.ts';
import { countPremiumPayments, type PremiumSources } from '#api/services/core/premium-status.ts';
import { PHOTO_QUOTA_BYTES, UNCONFIRMED_PHOTOS_MAX } from '#shared/rules/photo-quota.ts';

/** What the photos of an account take, and what they may take, in bytes. */
interface PhotoRoom {
  usedBytes: number;
  limitBytes: number;
}

/**
 * Returns whether the account's e-mail was never confirmed. Throws AppError photo_count_reached, photo_quota_reached when
 * it has no room for a photo of this size. In the transaction that inserts it, lock the account first (`lockPhotoRoom`):
 * otherwise parallel uploads exceed it.
 */
export async function assertPhotoRoom(
  app: Pick<PremiumSources, 'payments'>,
  db: Db | Tx,
  accountId: number,
  bytes: number,
): Promise<{ isUnconfirmed: boolean }> {
  const { photos, isUnconfirmed, ...room } = await readRoom(app, db, accountId);
  if (isUnconfirmed && photos >= UNCONFIRMED_PHOTOS_MAX) throw new AppError('photo_count_reached');
  if (room.usedBytes + bytes > room.limitBytes) throw new AppError('photo_quota_reached');
  return { isUnconfirmed };
}

/**
 * Uploads of one account wait for each other from here on. Returns the account that gets the photo: the other one after
 * a merge. Throws AppError unauthorized after an erasure: nobody would remove the photo.
 */
export async function lockPhotoRoom(tx: Tx, accountId: number): Promise<number> {
  const [{ emailKey, mergedIntoId }] = await tx.$queryRaw<[{ emailKey: string | null; mergedIntoId: number | null }]>`
    select email_key as "emailKey", merged_into_id as "mergedIntoId"
    from accounts where id = ${accountId} for no key update`;
  if (mergedIntoId !== null) return lockPhotoRoom(tx, mergedIntoId);
  if (isErasedKey(emailKey)) throw new AppError('unauthorized');
  return accountId;
}

/** A picked result takes no room. An account that exists only through Telegram has no e-mail to confirm. */
export async function readRoom(
  app: Pick<PremiumSources, 'payments'>,
  db: Db | Tx,
  accountId: number,
): Promise<PhotoRoom & { photos: number; isUnconfirmed: boolean }> {
  const [row] = await db.$queryRaw<[{ photos: number; bytes: bigint; isUnconfirmed: boolean; isPremium: boolean }]>`
    select kept.photos, kept.bytes, email is not null and email_verified_at is null as "isUnconfirmed",
      ${countPremiumPayments(app)} > 0 as "isPremium"
    from accounts as account, lateral (
      select count(*)::int as photos, coalesce(sum(stored_bytes), 0)::bigint as bytes
      from photos where account_id = account.id and result_id is null
    ) as kept
    where account.id = ${accountId}`;
  const limitBytes = PHOTO_QUOTA_BYTES[row.isPremium ? 'paid' : 'free'];
  return { photos: row.photos, usedBytes: Number(row.bytes), limitBytes, isUnconfirmed: row.isUnconfirmed };
}

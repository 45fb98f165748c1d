import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import type { PhotosTravel } from '#shared/rules/tool-abilities.ts';

export interface AgreedVersions {
  consentVersion: string | null;
  transferConsentVersion: string | null;
}

/**
 * Call this before an account's photo is used. `photosTravel`: where its engine takes it. Throws AppError
 * consent_required, transfer_consent_required.
 */
export function assertConsents(agreed: AgreedVersions, photosTravel: PhotosTravel): void {
  if (agreed.consentVersion !== DOCUMENTS_VERSION) throw new AppError('consent_required');
  const isAbroad = photosTravel === 'abroad';
  if (isAbroad && agreed.transferConsentVersion !== TRANSFER_VERSION) throw new AppError('transfer_consent_required');
}

/** Whether the owner of an order has taken back the consent to the transfer abroad since the start. */
export async function hasWithdrawnTransfer(app: WithDb, accountId: number): Promise<boolean> {
  const where = { id: accountId, transferConsentVersion: null };
  return (await app.db.account.count({ where })) > 0;
}

/** Call this before a photo of an account is stored. Throws AppError deletion_asked, consent_required. */
export async function assertMayStorePhotos(db: Db | Tx, accountId: number): Promise<void> {
  const { deletionAskedAt, ...agreed } = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { deletionAskedAt: true, consentVersion: true, transferConsentVersion: true },
  });
  if (deletionAskedAt) throw new AppError('deletion_asked');
  assertConsents(agreed, 'nowhere');
}

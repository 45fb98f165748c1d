import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findPhotosTravel } from '#api/services/core/tool-abilities.ts';
import type { Account, Prisma } from '#prisma/generated/client.ts';
import { ACCOUNT_TEXTS, type AccountConsents } from '#shared/contract/account.ts';
import { CONSENT_VERSIONS, type ConsentKind, DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { presentAccount, type SignedInAccount } from './sessions.ts';

/**
 * The proof of consent for a new account. Null stores none. Throws AppError invalid_request for a version that is not
 * in force: the page has shown older texts.
 */
export function proveConsent(version: string | null): { consentVersion: string; consentAt: Date } | null {
  if (version === null) return null;
  if (version !== DOCUMENTS_VERSION) throw refuseVersion('consentVersion', ACCOUNT_TEXTS.consentOutdated);
  return { consentVersion: version, consentAt: new Date() };
}

export async function readConsents(
  app: Pick<AppContext, 'db' | 'engines'>,
  accountId: number,
): Promise<AccountConsents> {
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const present = (kind: ConsentKind, version: string | null, at: Date | null) => ({
    inForce: CONSENT_VERSIONS[kind],
    agreed: version !== null && at !== null ? { version, at: at.toISOString() } : null,
  });
  return {
    documents: present('documents', account.consentVersion, account.consentAt),
    transfer: {
      ...present('transfer', account.transferConsentVersion, account.transferConsentAt),
      isNeeded: findPhotosTravel(app.engines) === 'abroad',
    },
  };
}

/**
 * Stores a consent to the version in force, for the site and for the linked chat. A repeat changes nothing. Throws
 * AppError invalid_request for another version.
 */
export async function giveConsent(
  app: AppContext,
  accountId: number,
  { kind, version }: { kind: ConsentKind; version: string },
): Promise<SignedInAccount> {
  if (version !== CONSENT_VERSIONS[kind]) throw refuseVersion('version', ACCOUNT_TEXTS.newConsentOutdated);
  const account = await app.db.$transaction(async (tx) => {
    if (kind === 'transfer') return storeTransferConsent(tx, accountId);
    // The chat first: everybody locks these two rows in this order.
    const user = await tx.telegramUser.findUnique({ where: { accountId } });
    if (user && user.termsVersion !== version) {
      await tx.telegramUser.update({ where: { id: user.id }, data: { termsVersion: version, termsAt: new Date() } });
    }
    return storeConsent(tx, accountId);
  });
  app.log.info({ action: 'consent_given', accountId, kind, version }, 'consent given');
  return presentAccount(app, account);
}

/**
 * Withdraws the consent to the transfer abroad. Tools that take photos there cannot be started any more, and orders that
 * wait end before their photos are sent.
 */
export async function withdrawTransferConsent(app: AppContext, accountId: number): Promise<SignedInAccount> {
  const withdrawn = { transferConsentVersion: null, transferConsentAt: null, transferWithdrawnAt: new Date() };
  await app.db.account.updateMany({
    where: { id: accountId, transferConsentVersion: { not: null } },
    data: withdrawn,
  });
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  app.log.info({ action: 'consent_withdrawn', accountId, kind: 'transfer' }, 'consent withdrawn');
  return presentAccount(app, account);
}

/** Stores the consent to the documents in force, with its time, unless it is stored already. */
export function storeConsent(tx: Tx, accountId: number): Promise<Account> {
  const data = { consentVersion: CONSENT_VERSIONS.documents, consentAt: new Date() };
  return storeOnce(tx, accountId, data, ({ consentVersion }) => consentVersion === data.consentVersion);
}

/** Stores the consent to the transfer of photos abroad in the version in force, if that is not stored yet. */
export function storeTransferConsent(tx: Tx, accountId: number): Promise<Account> {
  const data = { transferConsentVersion: CONSENT_VERSIONS.transfer, transferConsentAt: new Date() };
  return storeOnce(tx, accountId, data, (now) => now.transferConsentVersion === data.transferConsentVersion);
}

async function storeOnce(
  tx: Tx,
  accountId: number,
  data: Prisma.AccountUpdateInput,
  isStored: (account: Account) => boolean,
): Promise<Account> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  return isStored(account) ? account : tx.account.update({ where: { id: accountId }, data });
}

function refuseVersion(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, fields: { [field]: message } });
}

import type { Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findDocumentsVersion } from '#api/services/ground/tool-abilities.ts';
import type { Account } from '#prisma/generated/client.ts';
import { ACCOUNT_TEXTS } from '#shared/contract/account.ts';
import { coversVersion, needsNewConsent } from '#shared/rules/legal-documents.ts';
import { presentAccount, type SignedInAccount } from './sessions.ts';

/**
 * Call this before an account starts a generation. Throws AppError deletion_asked, and consent_required when the
 * documents have changed since the account's consent.
 */
export function assertMayGenerate(
  { engines }: Pick<AppContext, 'engines'>,
  { deletionAskedAt, consentVersion }: Pick<Account, 'deletionAskedAt' | 'consentVersion'>,
): void {
  if (deletionAskedAt) throw new AppError('deletion_asked');
  if (needsNewConsent(consentVersion, findDocumentsVersion(engines))) throw new AppError('consent_required');
}

/**
 * The proof of consent for a new account. Null stores none. Throws AppError invalid_request for a version that is not
 * in force: the page has shown older texts.
 */
export function proveConsent(
  { engines }: Pick<AppContext, 'engines'>,
  version: string | null,
): { consentVersion: string; consentAt: Date } | null {
  if (version === null) return null;
  if (version !== findDocumentsVersion(engines)) throw refuseVersion('consentVersion', ACCOUNT_TEXTS.consentOutdated);
  return { consentVersion: version, consentAt: new Date() };
}

/**
 * Stores the consent to the documents in force, for the site and for the linked chat. A repeat changes nothing. Throws
 * AppError invalid_request for another version.
 */
export async function giveConsent(app: AppContext, accountId: number, version: string): Promise<SignedInAccount> {
  if (version !== findDocumentsVersion(app.engines)) throw refuseVersion('version', ACCOUNT_TEXTS.newConsentOutdated);
  const account = await app.db.$transaction(async (tx) => {
    // The chat first: everybody locks these two rows in this order.
    const user = await tx.telegramUser.findUnique({ where: { accountId } });
    if (user && needsNewConsent(user.termsVersion, version)) {
      await tx.telegramUser.update({ where: { id: user.id }, data: { termsVersion: version, termsAt: new Date() } });
    }
    return storeConsent(tx, accountId, version);
  });
  app.log.info({ action: 'consent_given', accountId, version }, 'consent to the documents given');
  return presentAccount(app, account);
}

/** Stores the version and the time with the account, unless its earlier consent covers the version. */
export async function storeConsent(tx: Tx, accountId: number, version: string): Promise<Account> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  if (account.consentVersion !== null && coversVersion(account.consentVersion, version)) return account;
  const data = { consentVersion: version, consentAt: new Date() };
  return tx.account.update({ where: { id: accountId }, data });
}

function refuseVersion(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, fields: { [field]: message } });
}

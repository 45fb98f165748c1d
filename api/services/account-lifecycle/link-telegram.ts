import { randomBytes } from 'node:crypto';
import { findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { lockChat, partChats } from '#api/services/accounts/chats.ts';
import { lockProven, type PasswordProof } from '#api/services/accounts/passwords.ts';
import { hashToken } from '#api/services/accounts/sessions.ts';
import { noteMailbox } from '#api/services/accounts/signup-stars.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { lockTelegramUser } from '#api/services/chat/users.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Account, LinkToken, TelegramUser } from '#prisma/generated/client.ts';
import { isLaterVersion } from '#shared/rules/legal-documents.ts';
import { isInUse, type Merging, mergeAccounts, NOTHING_MOVED } from './merge-accounts.ts';

const TOKEN_BYTES = 16;
const TOKEN_LIFETIME_MS = 10 * 60_000;
const ONE_TELEGRAM_CONSTRAINT = 'telegram_users_account_id_key';

/** One side of a link: the site, where somebody gave the password of the account, or a chat. */
type LinkSide = PasswordProof | { telegramUserId: bigint };

/**
 * Makes a token for the other side: 22 characters, valid once and for ten minutes. It replaces an earlier one. Throws
 * AppError wrong_password when the account has another password by now.
 */
export async function createLinkToken(app: WithDb, maker: LinkSide): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(Date.now() + TOKEN_LIFETIME_MS);
  const isSite = 'passwordHash' in maker;
  const owner = isSite ? { accountId: maker.accountId } : maker;
  await app.db.$transaction(async (tx) => {
    await tx.linkToken.deleteMany({ where: owner });
    if (isSite) await lockProven(tx, maker);
    await tx.linkToken.create({ data: { tokenHash: hashToken(token), expiresAt, ...owner } });
  });
  return { token, expiresAt };
}

/** The account whose settings page made the token. Throws link_token_invalid. */
export async function getAccountOfToken(app: WithDb, token: string): Promise<Account> {
  const { accountId } = await getToken(app.db, token);
  if (accountId === null) throw new AppError('link_token_invalid');
  return app.db.account.findUniqueOrThrow({ where: { id: accountId } });
}

/** The account that this token has linked with this person; null if it has not, or they are no longer linked. */
export async function findAccountLinkedBy(app: WithDb, token: string, telegramUserId: bigint): Promise<Account | null> {
  const used = await app.db.linkToken.findFirst({
    where: { tokenHash: hashToken(token), usedAt: { not: null }, account: { telegramUser: { id: telegramUserId } } },
    include: { account: true },
  });
  return used?.account ?? null;
}

/** The Telegram user who made the token in the bot. Throws link_token_invalid. */
export async function getTelegramUserOfToken(app: WithDb, token: string): Promise<TelegramUser> {
  const { telegramUserId } = await getToken(app.db, token);
  if (telegramUserId === null) throw new AppError('link_token_invalid');
  return app.db.telegramUser.findUniqueOrThrow({ where: { id: telegramUserId } });
}

/**
 * Links the side that made the token with the one that redeems it. The person's data in the bot moves only when the
 * token is redeemed on the site: whoever made an address may have sent it to a stranger, who would give everything away
 * by one press. Throws link_token_invalid, telegram_in_use, telegram_has_account, account_has_telegram,
 * email_not_verified, deletion_asked, wrong_password.
 */
export async function redeemLinkToken(app: AppContext, token: string, bringer: LinkSide): Promise<Merging> {
  try {
    return await app.db.$transaction(async (tx) => {
      const { accountId, telegramUserId } = { ...(await getToken(tx, token)), ...bringer };
      if (accountId === null || telegramUserId === null) throw new AppError('link_token_invalid');
      const used = await tx.linkToken.updateMany({
        where: { tokenHash: hashToken(token), usedAt: null },
        data: { usedAt: new Date() },
      });
      if (used.count === 0) throw new AppError('link_token_invalid');
      const proof = 'passwordHash' in bringer ? bringer : null;
      const merging = await link(app, tx, { intoId: accountId, telegramUserId, proof });
      app.log.info({ action: 'telegram_linked', accountId, ...merging }, 'Telegram linked');
      return merging;
    });
  } catch (error) {
    // Another Telegram account was linked at the same moment.
    throw findViolatedConstraint(error) === ONE_TELEGRAM_CONSTRAINT ? new AppError('account_has_telegram') : error;
  }
}

async function link(
  app: AppContext,
  tx: Tx,
  { intoId, telegramUserId, proof }: { intoId: number; telegramUserId: bigint; proof: PasswordProof | null },
): Promise<Merging> {
  const user = await lockTelegramUser(tx, telegramUserId);
  const fromId = user.accountId;
  if (fromId === intoId) return NOTHING_MOVED;
  // A change of the name or the address locks the account before its searched names, which this link also writes.
  for (const id of [fromId ?? intoId, intoId].sort((a, b) => a - b)) {
    if (id === intoId && proof) await lockProven(tx, proof);
    else await lockBalance(tx, id);
  }
  // Read under the locks: until then the owner may have asked for the deletion.
  const into = await tx.account.findUniqueOrThrow({ where: { id: intoId }, include: { telegramUser: true } });
  if (into.telegramUser) throw new AppError('account_has_telegram');
  if (!into.emailVerifiedAt) throw new AppError('email_not_verified');
  if (into.deletionAskedAt) throw new AppError('deletion_asked');
  if (fromId !== null) {
    const from = await tx.account.findUniqueOrThrow({ where: { id: fromId } });
    // Both accounts have an e-mail and a password, and it is unclear which should count.
    if (from.email !== null) throw new AppError('telegram_has_account');
    if (from.deletionAskedAt) throw new AppError('deletion_asked');
  }
  if (!proof && fromId !== null && (await isInUse(tx, fromId))) throw new AppError('telegram_in_use');
  const linkedAt = new Date();
  await tx.telegramUser.update({
    where: { id: telegramUserId },
    data: { accountId: intoId, linkedAt, giftAt: user.giftAt ?? linkedAt },
  });
  await app.queue.send(tx, 'send-telegram-linked-mail', { accountId: intoId, linkedAt: linkedAt.toISOString() });
  // The stars of the chat are those of the mailbox from now on.
  if (user.giftAt !== null && into.emailKey !== null) await noteMailbox(tx, app.config, into.emailKey);
  await shareConsent(tx, user, into);
  return fromId === null ? NOTHING_MOVED : mergeAccounts(app, tx, { fromId, intoId });
}

/** From now on a consent counts in the chat and on the site alike. The later of both is kept. */
async function shareConsent(tx: Tx, user: TelegramUser, account: Account): Promise<void> {
  const { termsVersion, termsAt } = user;
  const { consentVersion, consentAt } = account;
  if (isLaterVersion(termsVersion, consentVersion)) {
    await tx.account.update({
      where: { id: account.id },
      data: { consentVersion: termsVersion, consentAt: termsAt },
    });
  } else if (isLaterVersion(consentVersion, termsVersion)) {
    await tx.telegramUser.update({
      where: { id: user.id },
      data: { termsVersion: consentVersion, termsAt: consentAt },
    });
  }
}

/**
 * Unlinks the two. Everything stays with the account of the site. An account that exists only through Telegram cannot
 * be unlinked, because nobody could open it.
 */
export async function unlinkTelegram(app: AppContext, accountId: number): Promise<void> {
  const count = await app.db.$transaction(async (tx) => {
    await lockChat(tx, accountId);
    return partChats(tx, accountId);
  });
  if (count > 0) app.log.info({ action: 'telegram_unlinked', accountId }, 'Telegram unlinked');
}

async function getToken(db: Pick<Tx, 'linkToken'>, token: string): Promise<LinkToken> {
  const found = await db.linkToken.findUnique({ where: { tokenHash: hashToken(token) } });
  if (!found || found.usedAt || found.expiresAt <= new Date()) throw new AppError('link_token_invalid');
  return found;
}

import type { Tx } from '#api/database/database.ts';
import { storeConsent } from '#api/services/accounts/consent.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { grantSignupBonus } from '#api/services/stars/ledger.ts';
import type { Account, TelegramUser } from '#prisma/generated/client.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { CHAT_NAMES_KEPT_MS } from '#shared/rules/retention.ts';

export type { TelegramUser };

interface TelegramPerson {
  id: number;
  username?: string | undefined;
  first_name: string;
}

/**
 * Creates or updates the row of a person who has just written. If the person could not be reached before, resumeOrders
 * (orders.ts) does the rest.
 */
export function upsertTelegramUser(app: WithDb, person: TelegramPerson): Promise<TelegramUser> {
  const names = { username: person.username ?? null, firstName: person.first_name, namedAt: new Date() };
  return app.db.telegramUser.upsert({
    where: { id: person.id },
    create: { id: person.id, ...names },
    update: names,
  });
}

/** Since when a person cannot be reached. Null if they can, or have never written. */
export async function findUnreachableSince(app: WithDb, id: number): Promise<Date | null> {
  const user = await app.db.telegramUser.findUnique({ where: { id }, select: { unreachableAt: true } });
  return user?.unreachableAt ?? null;
}

export function findLinkedTelegram(app: WithDb, accountId: number): Promise<TelegramUser | null> {
  return app.db.telegramUser.findUnique({ where: { accountId } });
}

/**
 * The e-mail of an account (null if it exists only through Telegram), whether its deletion was requested, and its
 * consent to the transfer of photos abroad.
 */
export function getAccountFacts(
  app: WithDb,
  accountId: number,
): Promise<Pick<Account, 'email' | 'deletionAskedAt' | 'transferConsentVersion'>> {
  return app.db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, deletionAskedAt: true, transferConsentVersion: true },
  });
}

export async function markUnreachable(app: WithDb, chatId: bigint): Promise<void> {
  await app.db.telegramUser.updateMany({
    where: { id: chatId, unreachableAt: null },
    data: { unreachableAt: new Date() },
  });
}

/** Whether the person has accepted the terms in force. A consent on the site counts for the linked chat. */
export function hasAcceptedTerms({ termsVersion }: TelegramUser): boolean {
  return termsVersion === DOCUMENTS_VERSION;
}

/** Stores the proof of consent, the version and the time, with the person and with the account of the chat. */
export function acceptBotTerms(app: WithDb, id: bigint): Promise<TelegramUser> {
  return app.db.$transaction(async (tx) => {
    const user = await lockTelegramUser(tx, id);
    if (user.accountId !== null) await storeConsent(tx, user.accountId);
    if (hasAcceptedTerms(user)) return user;
    return tx.telegramUser.update({ where: { id }, data: { termsVersion: DOCUMENTS_VERSION, termsAt: new Date() } });
  });
}

/**
 * The account of a Telegram user. Creates one if there is none, with the sign-up stars once per Telegram id. `gift`
 * says what became of them for a new account. Call it only after the terms were accepted.
 */
export async function ensureTelegramAccount(
  app: WithDb,
  id: bigint,
): Promise<{ accountId: number; gift: 'given' | 'had_before' | null }> {
  return app.db.$transaction(async (tx) => {
    const user = await lockTelegramUser(tx, id);
    if (user.accountId !== null) return { accountId: user.accountId, gift: null };
    const { id: accountId } = await tx.account.create({
      data: {
        username: user.username ?? (user.firstName || 'Telegram'),
        consentVersion: user.termsVersion,
        consentAt: user.termsAt,
      },
    });
    const hasGift = user.giftAt === null && (await grantSignupBonus(tx, accountId));
    await tx.telegramUser.update({ where: { id }, data: { accountId, giftAt: user.giftAt ?? new Date() } });
    return { accountId, gift: hasGift ? 'given' : 'had_before' };
  });
}

/** Serialises linking, getting an account, returning after a block, erasure, and showing the end of an order. */
export async function lockTelegramUser(tx: Tx, id: bigint): Promise<TelegramUser> {
  await tx.$executeRaw`select from telegram_users where id = ${id} for update`;
  return tx.telegramUser.findUniqueOrThrow({ where: { id } });
}

export async function setTellsResults(app: WithDb, accountId: number, tellsResults: boolean): Promise<void> {
  await app.db.telegramUser.updateMany({ where: { accountId }, data: { tellsResults } });
}

/**
 * Removes what is stored about the Telegram user of an account. The bare id stays if it got the sign-up stars, so that
 * it does not get them twice. The terms have to be accepted again.
 */
export async function forgetTelegramUser(tx: Tx, accountId: number): Promise<void> {
  const user = await tx.telegramUser.findUnique({ where: { accountId } });
  // Locked before the orders. Everybody takes these two locks in this order.
  if (user) await lockTelegramUser(tx, user.id);
  await tx.linkToken.deleteMany({ where: { accountId } });
  await tx.telegramOrder.deleteMany({ where: { generation: { accountId } } });
  await tx.telegramBatch.deleteMany({ where: { batch: { accountId } } });
  if (user) await forgetPerson(tx, user);
}

/** Forgets a person of Telegram who has no account. Does nothing to one who has one. */
export function forgetChat(app: WithDb, id: bigint): Promise<void> {
  return app.db.$transaction(async (tx) => {
    const user = await lockTelegramUser(tx, id);
    if (user.accountId === null) await forgetPerson(tx, user);
  });
}

/** Forgets how people call themselves whose chats belong to no account and have been silent for 30 days. */
export async function forgetOldNames({ db }: WithDb): Promise<void> {
  await db.telegramUser.updateMany({
    where: {
      accountId: null,
      namedAt: { lt: new Date(Date.now() - CHAT_NAMES_KEPT_MS) },
      OR: [{ username: { not: null } }, { firstName: { not: '' } }],
    },
    data: { username: null, firstName: '' },
  });
}

async function forgetPerson(tx: Tx, user: TelegramUser): Promise<void> {
  await tx.linkToken.deleteMany({ where: { telegramUserId: user.id } });
  await tx.telegramUpdate.deleteMany({ where: { chatId: user.id } });
  await tx.telegramMessage.deleteMany({ where: { chatId: user.id } });
  if (user.giftAt === null) {
    await tx.telegramUser.delete({ where: { id: user.id } });
  } else {
    const forgotten = {
      accountId: null,
      linkedAt: null,
      username: null,
      firstName: '',
      termsVersion: null,
      termsAt: null,
    };
    await tx.telegramUser.update({ where: { id: user.id }, data: forgotten });
  }
}

import type { Tx } from '#api/database/database.ts';

/** Locks the links to an account and its chat. Everybody locks the links first, then the chat, then the account. */
export async function lockChat(tx: Tx, accountId: number): Promise<void> {
  await tx.$executeRaw`select from link_tokens where account_id = ${accountId} for update`;
  await tx.$executeRaw`select from telegram_users where account_id = ${accountId} for update`;
}

/**
 * Takes a chat's access to an account of the site and voids open links to it. Returns the number of parted chats. An
 * account that exists only through Telegram keeps its chat, because nobody could open it without.
 */
export async function partChats(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx.telegramUser.updateMany({
    where: { accountId, account: { email: { not: null } } },
    data: { accountId: null, linkedAt: null },
  });
  await tx.linkToken.deleteMany({ where: { accountId } });
  return count;
}

import { createLinkToken, redeemLinkToken } from '#api/services/account-lifecycle/link-telegram.ts';
import type { TestApp } from './test-app.ts';

/** Links a chat with an account of the site: with an address of the bot that is opened there, and the password. */
export async function linkChat(
  app: TestApp['app'],
  { accountId, chatId }: { accountId: number; chatId: number | bigint },
): Promise<void> {
  const { passwordHash } = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  if (passwordHash === null) throw new Error('an account of the chat alone');
  const { token } = await createLinkToken(app, { telegramUserId: BigInt(chatId) });
  await redeemLinkToken(app, token, { accountId, passwordHash });
}

import type { Tx } from '#api/db.ts';
import { lockTelegramUser } from './users.ts';

/**
 * Removes what is stored about the Telegram user of an account. The bare id stays if it got the sign-up stars, so that
 * it does not get them twice. The terms have to be accepted again.
 */
export async function forgetTelegramUser(tx: Tx, accountId: number): Promise<void> {
  const user = await tx.telegramUser.findUnique({ where: { accountId } });
  // Before the orders: everybody takes these two locks in this order.
  if (user) await lockTelegramUser(tx, user.id);
  await tx.linkToken.deleteMany({ where: { accountId } });
  await tx.telegramOrder.deleteMany({ where: { generation: { accountId } } });
  if (!user) return;
  await tx.linkToken.deleteMany({ where: { telegramUserId: user.id } });
  await tx.telegramUpdate.deleteMany({ where: { chatId: user.id } });
  await tx.telegramMessage.deleteMany({ where: { chatId: user.id } });
  if (user.giftAt === null) {
    await tx.telegramUser.delete({ where: { id: user.id } });
  } else {
    const forgotten = { accountId: null, username: null, firstName: '', termsVersion: null, termsAt: null };
    await tx.telegramUser.update({ where: { id: user.id }, data: forgotten });
  }
}

import type { Tx } from '#api/database/database.ts';
import type { NoticeChannel, NoticeSubject } from './channel.ts';

/**
 * The chat with the bot. It gets everything that was started there, and other results if its owner wants them. The
 * bot's process does the sending, at the pace that Telegram allows, and never sends anything twice.
 */
export const telegramNotices: NoticeChannel = {
  name: 'telegram',
  isFallback: false,
  yieldsToPage: false,
  delivery: 'at_least_once',

  async listTargets({ telegram }, tx, about) {
    // No bot would send it, so another channel has to.
    if (!telegram) return [];
    const user = await tx.telegramUser.findUnique({ where: { accountId: about.accountId } });
    if (!user || user.unreachableAt) return [];
    return user.tellsResults || (await wasStartedIn(tx, user.id, about)) ? [String(user.id)] : [];
  },

  async send(app, { generationId, batch }, target) {
    await app.db.$transaction(async (tx) => {
      if (generationId) await app.queue.send(tx, 'send-telegram-result', { generationId, chatId: target });
      else if (batch) {
        const { id: batchId, occasion } = batch;
        await app.queue.send(tx, 'tell-telegram-batch', { batchId, occasion, chatId: target });
      }
    });
    return { state: 'sent' };
  },
};

async function wasStartedIn(tx: Tx, chatId: bigint, { generationId, batchId }: NoticeSubject): Promise<boolean> {
  if (generationId) return (await tx.telegramOrder.count({ where: { generationId } })) > 0;
  return batchId !== null && (await tx.telegramBatch.count({ where: { batchId, chatId } })) > 0;
}

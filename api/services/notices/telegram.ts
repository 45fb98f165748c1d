import type { NoticeChannel } from './channel.ts';

/**
 * The chat with the bot. It gets everything that was started there, and other results if its owner wants them. The
 * bot's process does the sending, at the pace that Telegram allows, and never sends anything twice.
 */
export const telegramNotices: NoticeChannel = {
  name: 'telegram',
  isFallback: false,
  yieldsToPage: false,
  delivery: 'at_least_once',

  async listTargets({ telegram }, tx, { generationId, accountId }) {
    // No bot would send it, so another channel has to.
    if (!telegram || generationId === null) return [];
    const user = await tx.telegramUser.findUnique({ where: { accountId } });
    if (!user || user.unreachableAt) return [];
    const order = await tx.telegramOrder.findUnique({ where: { generationId } });
    return order || user.tellsResults ? [String(user.id)] : [];
  },

  async send(app, { generationId }, target) {
    if (generationId === null) return { state: 'dropped', isGone: false, detail: 'about a batch' };
    await app.db.$transaction((tx) => app.queue.send(tx, 'send-telegram-result', { generationId, chatId: target }));
    return { state: 'sent' };
  },
};

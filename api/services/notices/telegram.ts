import type { NoticeChannel } from './channel.ts';

/**
 * The chat with the bot: always for what was started there, for the rest if its owner wants so. The bot does the
 * sending in its own process, at the pace that Telegram allows, and sends nothing twice.
 */
export const telegramNotices: NoticeChannel = {
  name: 'telegram',
  isFallback: false,
  yieldsToPage: false,
  delivery: 'at_least_once',

  async listTargets({ telegram }, tx, { id: generationId, accountId }) {
    // No bot would send it, so other channels have to.
    if (!telegram) return [];
    const user = await tx.telegramUser.findUnique({ where: { accountId } });
    if (!user || user.unreachableAt) return [];
    const order = await tx.telegramOrder.findUnique({ where: { generationId } });
    return order || user.tellsResults ? [String(user.id)] : [];
  },

  async send(app, news, target) {
    await app.db.$transaction((tx) =>
      app.queue.send(tx, 'send-telegram-result', { generationId: news.generationId, chatId: target }),
    );
    return { state: 'sent' };
  },
};

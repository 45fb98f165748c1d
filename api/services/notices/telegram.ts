import type { NoticeChannel } from './channel.ts';

/**
 * The chat with the bot: always for what was started there, and for the rest when its owner wants so. The sending is the
 * bot's, in its own process and at the pace that Telegram allows; it never sends the same twice.
 */
export const telegramNotices: NoticeChannel = {
  name: 'telegram',
  isFallback: false,
  yieldsToPage: false,
  delivery: 'at_least_once',

  async listTargets({ telegram }, tx, { id: generationId, accountId }) {
    // Nobody would send it: others are to tell.
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

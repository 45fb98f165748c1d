import { AppError } from '#api/platform/errors.ts';
import { withTimeout } from '#api/platform/with-timeout.ts';
import { proveOwnPassword } from '#api/services/accounts/passwords.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findLinkedTelegram } from '#api/services/chat/users.ts';
import type { TelegramState } from '#shared/contract/telegram.ts';
import { createLinkToken, getTelegramUserOfToken, redeemLinkToken, unlinkTelegram } from './link-telegram.ts';

const ASK_TIMEOUT_MS = 5_000;

export async function getTelegramState(app: AppContext, accountId: number): Promise<TelegramState> {
  const user = await findLinkedTelegram(app, accountId);
  return {
    botUsername: await findBotUsername(app),
    link: user && { username: user.username, firstName: user.firstName, tellsResults: user.tellsResults },
  };
}

/** A link that opens the bot with a token. Throws wrong_password, telegram_off, account_has_telegram. */
export async function createTelegramAddress(
  app: AppContext,
  { accountId, password }: { accountId: number; password: string },
): Promise<{ address: string; expiresAt: string }> {
  const username = await findBotUsername(app);
  if (username === null) throw new AppError('telegram_off');
  if (await findLinkedTelegram(app, accountId)) throw new AppError('account_has_telegram');
  const proof = await proveOwnPassword(app, accountId, password);
  const { token, expiresAt } = await createLinkToken(app, proof);
  return { address: `https://t.me/${username}?start=${token}`, expiresAt: expiresAt.toISOString() };
}

/**
 * Redeems a token that the bot made, and tells the person there. Throws wrong_password, and what redeemLinkToken does.
 */
export async function linkFromSite(
  app: AppContext,
  { accountId, token, password }: { accountId: number; token: string; password: string },
): Promise<TelegramState> {
  const { id } = await getTelegramUserOfToken(app, token);
  const proof = await proveOwnPassword(app, accountId, password);
  const merging = await redeemLinkToken(app, token, proof);
  await app.db.$transaction((tx) =>
    app.queue.send(tx, 'tell-telegram-linked', { accountId, chatId: String(id), ...merging }),
  );
  return getTelegramState(app, accountId);
}

export async function unlinkFromSite(app: AppContext, accountId: number): Promise<TelegramState> {
  await unlinkTelegram(app, accountId);
  return getTelegramState(app, accountId);
}

/** Null without a bot, or when Telegram cannot be reached. */
async function findBotUsername(app: AppContext): Promise<string | null> {
  const { telegram } = app;
  if (!telegram) return null;
  try {
    return await app.state.caches.botUsername.get('me', async () => {
      const me = await withTimeout(telegram.getMe(), ASK_TIMEOUT_MS);
      return me.username;
    });
  } catch (error) {
    app.log.warn({ reason: (error as Error).message }, 'the bot’s name could not be asked for');
    return null;
  }
}

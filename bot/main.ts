import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import type { Lease } from '#api/database/leadership.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { ALLOWED_UPDATES } from '#api/services/chat/updates.ts';
import { telegramWebhookPath } from '#api/services/chat/webhook.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { createUpdateHandler } from './create-update-handler.ts';
import { followBatches } from './follow-batches.ts';
import { followOrders } from './follow-orders.ts';
import { guardCalls } from './guard-calls.ts';
import { COMMANDS } from './messages.ts';
import { pollUpdates } from './poll-updates.ts';
import { describeTelegramError } from './telegram-errors.ts';
import { handleTelegramJobs } from './telegram-jobs.ts';
import { describeBot } from './tool-words.ts';
import { startDispatcher } from './update-dispatcher.ts';

const RETRY_PAUSE_MS = 10_000;

/**
 * Starts the bot. Without a token it logs that and does nothing. Telegram is contacted in the background, so that the
 * start does not depend on it. Of several processes one speaks with Telegram, and the others wait to take over; the
 * bot's jobs are done by all. Returns a function that stops the bot after the running work; the rest continues at the next
 * start, or in another process.
 */
export async function startBot(app: AppContext): Promise<() => Promise<void>> {
  const { telegram: api } = app;
  if (!api) {
    app.log.info('TELEGRAM_BOT_TOKEN is not set: the bot is off');
    return async () => {};
  }
  const stopping = new AbortController();
  app.metrics.activeBots.add(0);
  await handleTelegramJobs(app, api);
  const running = lead(app, api, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Leads again after a failure of the program, so that one such failure does not leave the bot off. */
async function lead(app: AppContext, api: Api, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await app.leadership.runAsLeader(stopping, (lease) => run(app, guardCalls(api, lease), lease));
    } catch (error) {
      if (stopping.aborted) return;
      app.log.error(describeTelegramError(error), 'the bot has failed, starting it again');
      await wait(RETRY_PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

async function run(app: AppContext, api: Api, lease: Lease): Promise<void> {
  const { ending } = lease;
  const me = await reachTelegram(app, api, ending);
  if (!me) return;
  const closers = [
    startDispatcher(app, createUpdateHandler(app, api, me), lease),
    followOrders(app, api),
    followBatches(app, api),
  ];
  app.metrics.activeBots.add(1);
  try {
    await introduceBot(app, api);
    app.log.info({ bot: me.username, updates: app.config.telegram.updates }, 'the bot is on');
    if (app.config.telegram.updates === 'polling') await pollUpdates(app, api, ending);
    else if (!ending.aborted) await once(ending, 'abort');
  } finally {
    app.metrics.activeBots.add(-1);
    for (const close of closers) await close();
  }
}

/** The bot's own user, after updates are directed to this process. Null for an invalid token, or when the bot stops. */
async function reachTelegram(app: AppContext, api: Api, signal: AbortSignal): Promise<UserFromGetMe | null> {
  const { updates, webhookSecret } = app.config.telegram;
  while (!signal.aborted) {
    try {
      const me = await api.getMe();
      if (updates === 'polling') await api.deleteWebhook();
      else {
        await api.setWebhook(`${app.config.publicUrl}${telegramWebhookPath(app.config)}`, {
          secret_token: webhookSecret,
          allowed_updates: ALLOWED_UPDATES,
        });
      }
      return me;
    } catch (error) {
      if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404)) {
        app.log.error('Telegram does not know TELEGRAM_BOT_TOKEN: the bot stays off');
        return null;
      }
      app.log.warn(describeTelegramError(error), 'Telegram cannot be reached, trying again');
      await wait(RETRY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

/** Sets the list of commands, the menu button and the description for newcomers. A failure does not stop the bot. */
async function introduceBot(app: AppContext, api: Api): Promise<void> {
  try {
    const commands = Object.entries(COMMANDS).map(([command, description]) => ({ command, description }));
    await api.setMyCommands(commands, { scope: { type: 'all_private_chats' } });
    await api.setChatMenuButton({ menu_button: { type: 'commands' } });
    await api.setMyDescription(describeBot(describeTools(app)));
  } catch (error) {
    app.log.warn(describeTelegramError(error), 'the bot could not introduce itself');
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import { abortAfter } from '#api/platform/with-timeout.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { ALLOWED_UPDATES, receiveTelegramUpdates } from '#api/services/chat/updates.ts';
import { describeTelegramError } from './telegram-errors.ts';

/** Telegram answers after this time when nothing happens. */
const LONG_POLL_SECONDS = 25;
/** Between empty answers. A proxy or a server of one's own may answer at once, and would be asked a thousand times a second. */
const EMPTY_PAUSE_MS = 1_000;
const RETRY_PAUSE_MS = 3_000;
/** Another process polls with the same token, probably an old one that is about to stop. */
const RIVAL_PAUSE_MS = 10_000;

/** Polls Telegram for updates until the signal aborts. An update is confirmed only after it is stored. */
export async function pollUpdates(app: AppContext, api: Api, signal: AbortSignal): Promise<void> {
  let offset = 0;
  while (!signal.aborted) {
    try {
      const askedAt = performance.now();
      const updates = await api.getUpdates(
        { offset, timeout: LONG_POLL_SECONDS, allowed_updates: ALLOWED_UPDATES },
        listenFor(signal),
      );
      await receiveTelegramUpdates(app, updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      const restMs = EMPTY_PAUSE_MS - (performance.now() - askedAt);
      if (updates.length === 0 && restMs > 0) await wait(restMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      const isRival = error instanceof GrammyError && error.error_code === 409;
      const pauseMs = isRival ? RIVAL_PAUSE_MS : RETRY_PAUSE_MS;
      app.log.warn({ ...describeTelegramError(error), pauseMs }, 'Telegram could not be asked for updates');
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The timeout is longer than a long poll, so it only ends a dead connection. */
function listenFor(signal: AbortSignal): Parameters<Api['getUpdates']>[1] {
  const listening = abortAfter((LONG_POLL_SECONDS + 15) * 1000, signal);
  // Telegram's client has its own type for AbortSignal.
  return listening as unknown as Parameters<Api['getUpdates']>[1];
}

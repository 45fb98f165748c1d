import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import {
  blockLimit,
  consumeLimit,
  forgetLimit,
  IPV6_SITE,
  returnToLimit,
  toNetwork,
} from '#api/services/core/limits.ts';
import type { Account } from '#prisma/generated/client.ts';
import { findKnownDevice } from './known-devices.ts';
import type { Browser } from './sessions.ts';

const MINUTE = 60;
const PAUSE_SECONDS = [MINUTE, 5 * MINUTE, 15 * MINUTE] as const;

interface SignInTry {
  emailKey: string;
  account: Pick<Account, 'id' | 'passwordHash'> | null;
  browser: Browser;
}

/**
 * Checks a password; only wrong ones stay counted. A device that has signed in to the account before counts for itself
 * alone. Throws AppError too_many_requests with the seconds to wait, and what `check` throws.
 */
export async function checkSignIn(
  app: Pick<AppContext, 'db' | 'config'>,
  { emailKey, account, browser }: SignInTry,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const device = account && findKnownDevice(app.config, browser.knownDevices, account);
  // A new password begins anew: what was guessed before it was for another one.
  const target = `${emailKey} ${account?.passwordHash ?? ''}`;
  const subject = device ? `${target} device ${device}` : `${target} ${toNetwork(browser.address, IPV6_SITE)}`;
  const count = await consumeLimit(app, LIMITS.signIn, subject);
  const takeBack = () => returnToLimit(app, LIMITS.signIn, subject);
  if (!device) await consumeLimit(app, LIMITS.signInForEmail, target).catch(rethrowAfter(takeBack));
  const takeAllBack = async () => {
    await takeBack();
    if (!device) await returnToLimit(app, LIMITS.signInForEmail, target);
  };
  const isRight = await check().catch(rethrowAfter(takeAllBack));
  if (isRight) await forgetTries(app, subject).catch(rethrowAfter(takeAllBack));
  if (isRight && !device) await returnToLimit(app, LIMITS.signInForEmail, target);
  if (!isRight && count === LIMITS.signIn.max) await pause(app, subject);
  return isRight;
}

async function pause(app: Pick<AppContext, 'db' | 'config'>, subject: string): Promise<void> {
  const count = await consumeLimit(app, LIMITS.signInPauses, subject);
  await blockLimit(app, LIMITS.signIn, subject, PAUSE_SECONDS[count - 1] ?? Math.max(...PAUSE_SECONDS));
}

async function forgetTries(app: Pick<AppContext, 'db' | 'config'>, subject: string): Promise<void> {
  await forgetLimit(app, LIMITS.signInPauses, subject);
  await forgetLimit(app, LIMITS.signIn, subject);
}

/** The failure that led to it is the one to report. What could not be taken back ends with its window. */
function rethrowAfter(takeBack: () => Promise<void>) {
  return async (error: unknown): Promise<never> => {
    await takeBack().catch(() => undefined);
    throw error;
  };
}

import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import {
  blockLimit,
  checkWithinLimit,
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
  let count = 0;
  const isRight = await checkWithinLimit(app, LIMITS.signIn, subject, async (counted) => {
    count = counted;
    const isFitting = device
      ? await check()
      : await checkWithinLimit(app, LIMITS.signInForEmail, target, check, returnToLimit);
    if (isFitting) await forgetLimit(app, LIMITS.signInPauses, subject);
    return isFitting;
  });
  if (!isRight && count === LIMITS.signIn.max) await pause(app, subject);
  return isRight;
}

async function pause(app: Pick<AppContext, 'db' | 'config'>, subject: string): Promise<void> {
  const count = await consumeLimit(app, LIMITS.signInPauses, subject);
  await blockLimit(app, LIMITS.signIn, subject, PAUSE_SECONDS[count - 1] ?? Math.max(...PAUSE_SECONDS));
}

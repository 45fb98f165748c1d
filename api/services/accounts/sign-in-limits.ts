import type { AppContext } from '#api/services/app-context.ts';
import {
  blockLimit,
  consumeLimit,
  forgetLimit,
  IPV6_SITE,
  type Limit,
  returnToLimit,
  toNetwork,
} from '#api/services/ground/limits.ts';
import type { Account } from '#prisma/generated/client.ts';
import { findKnownDevice } from './known-devices.ts';
import type { Browser } from './sessions.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const tellPause = (wait: string) => `Слишком много неверных паролей. Повторите ${wait} или восстановите пароль`;
/** Wrong passwords of a known device, or of an address for an e-mail. A right one clears them. */
const TRIES: Limit = { name: 'sign-in', max: 10, seconds: 15 * MINUTE, tell: tellPause };
/** The pauses after them, of which each is longer than the one before. */
const PAUSES: Limit = { name: 'sign-in-pauses', max: 1_000_000, seconds: DAY };
const PAUSE_SECONDS = [MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
/** Wrong passwords for an e-mail from everywhere, so that many addresses do not guess together. */
const TRIES_FOR_EMAIL: Limit = {
  name: 'sign-in-for-email',
  max: 100,
  seconds: HOUR,
  tell: (wait) =>
    `Слишком много попыток войти с этим email. Повторите ${wait}, войдите с устройства, на котором уже входили, или восстановите пароль`,
};

interface SignInTry {
  emailKey: string;
  account: Pick<Account, 'id' | 'passwordHash'> | null;
  browser: Browser;
}

/**
 * Checks a password within the limits of signing in. A device that has signed in to the account before counts for
 * itself alone. `check` resolves to whether the password is right, and its answer is returned. Only wrong ones stay
 * counted. Throws AppError too_many_requests with the seconds to wait, and what `check` throws.
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
  const count = await consumeLimit(app, TRIES, subject);
  const takeBack = () => returnToLimit(app, TRIES, subject);
  if (!device) await consumeLimit(app, TRIES_FOR_EMAIL, target).catch(rethrowAfter(takeBack));
  const takeAllBack = async () => {
    await takeBack();
    if (!device) await returnToLimit(app, TRIES_FOR_EMAIL, target);
  };
  const isRight = await check().catch(rethrowAfter(takeAllBack));
  if (isRight) await forgetTries(app, subject).catch(rethrowAfter(takeAllBack));
  if (isRight && !device) await returnToLimit(app, TRIES_FOR_EMAIL, target);
  if (!isRight && count === TRIES.max) await pause(app, subject);
  return isRight;
}

async function pause(app: Pick<AppContext, 'db' | 'config'>, subject: string): Promise<void> {
  const count = await consumeLimit(app, PAUSES, subject);
  await blockLimit(app, TRIES, subject, PAUSE_SECONDS[count - 1] ?? Math.max(...PAUSE_SECONDS));
}

async function forgetTries(app: Pick<AppContext, 'db' | 'config'>, subject: string): Promise<void> {
  await forgetLimit(app, PAUSES, subject);
  await forgetLimit(app, TRIES, subject);
}

/** The failure that led to it is the one to report. What could not be taken back ends with its window. */
function rethrowAfter(takeBack: () => Promise<void>) {
  return async (error: unknown): Promise<never> => {
    await takeBack().catch(() => undefined);
    throw error;
  };
}

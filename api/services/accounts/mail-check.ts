import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** Requests within this time rely on the same check. */
const CHECK_KEPT_MS = 5_000;

/**
 * Throws AppError mail_not_sent when no mail would be taken now. Call it before an address is looked up: the answer is
 * then the same for known and unknown addresses, and nobody waits for a mail that cannot come.
 */
export async function assertMailTaken(app: Pick<AppContext, 'mailer' | 'state' | 'log'>): Promise<void> {
  const { mailCheck } = app.state;
  if (performance.now() - mailCheck.checkedAt > CHECK_KEPT_MS) {
    mailCheck.checkedAt = performance.now();
    mailCheck.check = tryMailer(app);
  }
  if (!(await mailCheck.check)) throw new AppError('mail_not_sent');
}

async function tryMailer({ mailer, log }: Pick<AppContext, 'mailer' | 'log'>): Promise<boolean> {
  try {
    await mailer.check();
    return true;
  } catch (error) {
    log.error({ err: error, mailer: mailer.name }, 'no mail is taken');
    return false;
  }
}

import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';

/**
 * Throws AppError mail_not_sent. Call it before an address is looked up, so that known and unknown ones get one answer.
 */
export async function assertMailTaken(app: Pick<AppContext, 'mailer' | 'state' | 'log'>): Promise<void> {
  const isTaken = await app.state.mailCheck.run(() => tryMailer(app));
  if (!isTaken) throw new AppError('mail_not_sent');
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

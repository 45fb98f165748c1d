import type { AppContext } from '#api/app-context.ts';
import { sendEmailChangedMail } from '#api/services/email-changed-mail.ts';

/** Tells the former address that the account has another one. */
export function workOnEmailChangedMails(app: AppContext): Promise<void> {
  return app.queue.work('send-email-changed-mail', { concurrency: 1 }, (job) => sendEmailChangedMail(app, job));
}

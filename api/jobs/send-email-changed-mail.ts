import { sendEmailChangedMail } from '#api/services/accounts/email-changed-mail.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** Tells the former address that the account has another one. */
export function workOnEmailChangedMails(app: AppContext): Promise<void> {
  return app.queue.work('send-email-changed-mail', { concurrency: 1 }, (job) => sendEmailChangedMail(app, job));
}

import { sendDeletionMail } from '#api/services/accounts/deletion-mail.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** Mails what a request for deletion leads to, and how to cancel it. */
export function workOnDeletionMails(app: AppContext): Promise<void> {
  return app.queue.work('send-deletion-mail', { concurrency: 1 }, ({ accountId }) => sendDeletionMail(app, accountId));
}

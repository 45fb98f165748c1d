import { sendDeletionMail } from '#api/services/accounts/deletion-mail.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** Mails what follows when somebody asks to delete an account, and how to take it back. */
export function workOnDeletionMails(app: AppContext): Promise<void> {
  return app.queue.work('send-deletion-mail', { concurrency: 1 }, ({ accountId }) => sendDeletionMail(app, accountId));
}

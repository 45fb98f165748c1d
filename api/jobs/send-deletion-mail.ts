import type { AppContext } from '#api/app-context.ts';
import { sendDeletionMail } from '#api/services/deletion-mail.ts';

/** Mails what follows when somebody asks to delete an account, and how to take it back. */
export function workOnDeletionMails(app: AppContext): Promise<void> {
  return app.queue.work('send-deletion-mail', { concurrency: 1 }, ({ accountId }) => sendDeletionMail(app, accountId));
}

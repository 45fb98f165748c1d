import type { AppContext } from '#api/services/app-context.ts';
import { workOnCleanUp } from './clean-up.ts';
import { workOnGenerations } from './run-generation.ts';
import { workOnDeletionMails } from './send-deletion-mail.ts';
import { workOnEmailChangedMails } from './send-email-changed-mail.ts';
import { workOnNotices } from './send-notice.ts';
import { workOnReceipts } from './send-receipt.ts';
import { workOnSandboxNotifications } from './send-sandbox-notification.ts';
import { workOnPayments } from './settle-payments.ts';
import { workOnFileSweep } from './sweep-files.ts';
import { workOnWatchdog } from './watchdog.ts';

/** The background door: every job and what it does. */
export async function startJobs(app: AppContext): Promise<void> {
  await workOnGenerations(app);
  await workOnWatchdog(app);
  await workOnNotices(app);
  await workOnPayments(app);
  await workOnReceipts(app);
  await workOnSandboxNotifications(app);
  await workOnDeletionMails(app);
  await workOnEmailChangedMails(app);
  await workOnCleanUp(app);
  await workOnFileSweep(app);
}

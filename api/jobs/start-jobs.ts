import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import { sendTelegramLinkedMail } from '#api/services/account-lifecycle/parting-link.ts';
import { sendDeletionMail, sendEmailChangedMail, sendPasswordChangedMail } from '#api/services/accounts/mails.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { advanceAllLines, advanceLine } from '#api/services/batches/line.ts';
import { probeEngine } from '#api/services/generations/engine-health/engine-probes.ts';
import { sendOutageMail } from '#api/services/generations/engine-health/outage-mails.ts';
import { checkGarment } from '#api/services/generations/garment/check-garment.ts';
import { sendReportMail } from '#api/services/generations/reports/report-mails.ts';
import { makeVideoCopy } from '#api/services/generations/results/video-copies.ts';
import { failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { removeExpired } from '#api/services/maintenance/clean-up.ts';
import { markMissingResults } from '#api/services/maintenance/missing-files.ts';
import { removeOrphanFiles } from '#api/services/maintenance/orphan-files.ts';
import { sendNotice } from '#api/services/notices/notices.ts';
import { makePack } from '#api/services/packs/make-pack.ts';
import { sendPurchaseReceipt, sendRefundReceipt } from '#api/services/payments/receipts.ts';
import { reconcileStarSales } from '#api/services/payments/reconcile-telegram-stars.ts';
import { settlePayments, warnOfUnreachable } from '#api/services/payments/settle-payments.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';

/** How many notices are sent at a time. A push service that does not answer must not delay the others. */
const NOTICE_CONCURRENCY = 4;

/** A tool whose engine hangs must not keep the others from being tried. */
const PROBE_CONCURRENCY = GENERATION_KINDS.length;

/** Starts the worker: connects every job of `api/queue/job-definitions.ts` to its service. */
export async function startJobs(app: AppContext): Promise<void> {
  const { queue } = app;
  await handleGenerationJobs(app);
  // Encoding uses both cores of a small machine.
  await queue.work('make-video-copy', { concurrency: 1 }, ({ resultId }, signal) =>
    makeVideoCopy(app, resultId, signal),
  );
  // One at a time, with low priority, so that renders go first.
  await queue.work('check-garment', { concurrency: 1 }, ({ resultId }, signal) => checkGarment(app, resultId, signal));
  await queue.work('probe-engine', { concurrency: PROBE_CONCURRENCY }, (tool, signal) =>
    probeEngine(app, tool, signal),
  );
  await queue.work('advance-batches', { concurrency: 1 }, ({ accountId }, signal) =>
    accountId === undefined ? advanceAllLines(app, signal) : advanceLine(app, accountId, signal),
  );
  // Encoding uses both cores of a small machine.
  await queue.work('make-pack', { concurrency: 1 }, ({ packId }, signal) => makePack(app, packId, signal));
  await queue.work('watchdog', { concurrency: 1 }, () => failOverdueGenerations(app));
  await queue.work('send-notice', { concurrency: NOTICE_CONCURRENCY }, ({ noticeId }) => sendNotice(app, noticeId));
  await warnOfUnreachable(app);
  await queue.work('settle-payments', { concurrency: 1 }, (_payload, signal) => settlePayments(app, signal));
  await queue.work('reconcile-star-sales', { concurrency: 1 }, (_payload, signal) => reconcileStarSales(app, signal));
  await handleReceiptJobs(app);
  await handleSandboxNotifications(app);
  await queue.work('send-deletion-mail', { concurrency: 1 }, ({ accountId }) => sendDeletionMail(app, accountId));
  await queue.work('send-email-changed-mail', { concurrency: 1 }, (job) => sendEmailChangedMail(app, job));
  await queue.work('send-password-changed-mail', { concurrency: 1 }, (job) => sendPasswordChangedMail(app, job));
  await queue.work('send-telegram-linked-mail', { concurrency: 1 }, (job) => sendTelegramLinkedMail(app, job));
  await queue.work('send-outage-mail', { concurrency: 1 }, (job) => sendOutageMail(app, job));
  await queue.work('send-report-mail', { concurrency: 1 }, () => sendReportMail(app));
  await queue.work('clean-up', { concurrency: 1 }, () => removeExpired(app));
  await queue.work('sweep-files', { concurrency: 1 }, async (_payload, signal) => {
    await markMissingResults(app, signal);
    await removeOrphanFiles(app, signal);
  });
}

async function handleGenerationJobs(app: AppContext): Promise<void> {
  const concurrencyOf = (engines: readonly GenerationEngine[]) =>
    engines.reduce((sum, one) => sum + one.concurrency, 0);
  const here = app.engines.all.filter(({ photosTravel }) => photosTravel === 'nowhere');
  const elsewhere = app.engines.all.filter((engine) => !here.includes(engine));
  for (const [name, engines] of [
    ['run-generation', here],
    ['follow-generation', elsewhere],
  ] as const) {
    await app.queue.work(name, { concurrency: concurrencyOf(engines) }, ({ generationId }, signal) =>
      runGeneration(app, generationId, signal),
    );
  }
}

/** Mails receipts of payments and of refunds. */
export function handleReceiptJobs(app: AppContext): Promise<void> {
  return app.queue.work('send-receipt', { concurrency: 1 }, (what) =>
    'paymentId' in what ? sendPurchaseReceipt(app, what.paymentId) : sendRefundReceipt(app, what.refundId),
  );
}

/** Plays the provider's part: tells our own webhook what became of a payment, until the webhook accepts it. */
export async function handleSandboxNotifications({ queue, sandbox }: AppContext): Promise<void> {
  if (!sandbox) return;
  await queue.work('send-sandbox-notification', { concurrency: 1 }, (notification) => sandbox.deliver(notification));
}

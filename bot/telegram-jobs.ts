import type { Api } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import type { JobName, JobPayload } from '#api/queue/job-definitions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findOrder } from '#api/services/chat/orders.ts';
import { findLinkedTelegram, getAccountFacts } from '#api/services/chat/users.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { findDecision } from '#api/services/generations/reports/result-reports.ts';
import { findGeneration, getFinishedGeneration } from '#api/services/generations/results/find-generation.ts';
import { isPreparing } from '#api/services/generations/results/video-copies.ts';
import { announceEndAgain } from '#api/services/notices/notices.ts';
import { refundUnmatchedCharge } from '#api/services/payments/unmatched-charges.ts';
import { thankForPurchase } from './features/payments.ts';
import { maskEmail } from './format.ts';
import { MESSAGES } from './messages.ts';
import { sendBatchResults } from './send-batch-results.ts';
import { sendDrift } from './send-drift.ts';
import { ChatGoneError, sendOnce } from './send-once.ts';
import { sendResults } from './send-results.ts';
import { describeTelegramError, readRetryAfter } from './telegram-errors.ts';
import { tellBatch } from './tell-batch.ts';

const CONCURRENCY = 3;
/** A repeat of the job within this time sends nothing. */
const LINK_NEWS_MS = 3_600_000;

/**
 * Handles the jobs that send something to a chat: results, news of batches, drifts of garments, new links, purchases, decisions about
 * complaints, and payments that match no invoice and are returned.
 */
export async function handleTelegramJobs(app: AppContext, api: Api): Promise<void> {
  await handle(app, 'send-telegram-result', (job) => sendEnd(app, api, job), CONCURRENCY);
  await handle(app, 'tell-telegram-batch', (job) => tellBatch(app, api, job));
  await handle(app, 'send-telegram-batch', (job) => sendBatchResults(app, api, job), CONCURRENCY);
  await handle(app, 'tell-telegram-drift', (job) => sendDrift(app, api, job));
  await handle(app, 'tell-telegram-linked', (job) => sendLinked(app, api, job));
  await handle(app, 'tell-telegram-purchase', ({ paymentId }) => thankForPurchase(app, api, paymentId));
  await handle(app, 'tell-telegram-report', ({ reportId }) => sendDecision(app, api, reportId));
  await handle(app, 'return-star-charge', (job) => returnCharge(app, api, job));
}

/** A person who is gone is no reason to retry. A pause for Telegram or for the copy of a video is no failure. */
function handle<Name extends JobName>(
  { db, log, queue }: AppContext,
  name: Name,
  work: (job: JobPayload<Name>) => Promise<unknown>,
  concurrency = 1,
): Promise<void> {
  return queue.work(name, { concurrency }, async (job) => {
    try {
      await unlessGone(work(job));
    } catch (error) {
      const delaySeconds = isPreparing(error) ? (error.extra.retryAfter ?? 1) : readRetryAfter(error);
      if (delaySeconds === null) throw error;
      if (!isPreparing(error)) log.warn({ ...describeTelegramError(error), delaySeconds }, 'a job waits for Telegram');
      await db.$transaction((tx) => queue.send(tx, name, job, { delaySeconds }));
    }
  });
}

async function unlessGone(telling: Promise<unknown>): Promise<void> {
  try {
    await telling;
  } catch (error) {
    if (!(error instanceof ChatGoneError)) throw error;
  }
}

async function sendLinked(
  app: AppContext,
  api: Api,
  { accountId, chatId, ...merging }: JobPayload<'tell-telegram-linked'>,
): Promise<void> {
  const { email } = await getAccountFacts(app, accountId);
  const causeKey = `linked:${accountId}:${chatId}:${Math.floor(Date.now() / LINK_NEWS_MS)}`;
  await sendOnce(app, { causeKey, chatId: BigInt(chatId) }, () =>
    api.sendMessage(Number(chatId), MESSAGES.linkedFromSite(maskEmail(email), merging)),
  );
}

async function sendDecision(app: AppContext, api: Api, reportId: string): Promise<void> {
  const report = await findDecision(app, reportId);
  const user = report && (await findLinkedTelegram(app, report.accountId));
  if (!user) return;
  const text = MESSAGES.reportClosed(resultKindOf(report.generation), report.decision, report.answer);
  await sendOnce(app, { causeKey: `report:${reportId}`, chatId: user.id }, () =>
    api.sendMessage(Number(user.id), text),
  );
}

async function returnCharge(app: AppContext, api: Api, charge: JobPayload<'return-star-charge'>): Promise<void> {
  const { telegramUserId: chatId, chargeId, xtr } = charge;
  await unlessGone(
    sendOnce(app, { causeKey: `charge-returned:${chatId}:${chargeId}`, chatId }, () =>
      api.sendMessage(chatId, MESSAGES.chargeReturned(xtr)),
    ),
  );
  await refundUnmatchedCharge(app, charge);
}

async function sendEnd(
  app: AppContext,
  api: Api,
  { generationId, chatId, askedBy }: JobPayload<'send-telegram-result'>,
): Promise<void> {
  const generation = await findGeneration(app.db, generationId);
  if (!generation) return;
  // Another channel replaces the chat while the result is still news.
  const announceElsewhere = async () => {
    if (askedBy === undefined) await announceEndAgain(app, generation);
  };
  const user = await findLinkedTelegram(app, generation.accountId);
  // The chat was unlinked since. Nobody else may see the account's results.
  if (user?.id !== BigInt(chatId)) return announceElsewhere();
  const causeKey = askedBy ?? `end:${generationId}:${chatId}`;
  try {
    if (generation.status === 'failed') {
      // A generation that was started in the chat has a progress message there.
      if (await findOrder(app, generationId)) return;
      await sendOnce(app, { causeKey, chatId: user.id }, () =>
        api.sendMessage(Number(chatId), MESSAGES.webFailed(resultKindOf(generation), generation.stars === 0)),
      );
      return;
    }
    const finished = await getFinishedGeneration(app.db, generation.accountId, generationId);
    await sendResults(app, api, { generation: finished, causeKey, chatId: user.id });
  } catch (error) {
    if (error instanceof AppError && error.code === 'generation_not_found') return;
    if (!(error instanceof ChatGoneError)) throw error;
    await announceElsewhere();
  }
}

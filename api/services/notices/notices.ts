import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import type { Batch, Generation, Notice, Prisma } from '#prisma/generated/client.ts';
import { countRows, rowStateOf } from '#shared/rules/batches.ts';
import { batchPath, resultPath } from '#shared/rules/result-links.ts';
import {
  describeEnding,
  type News,
  NOTICE_LIFETIME_MS,
  type NoticeChannel,
  type NoticeOutcome,
  type NoticeSubject,
} from './channel.ts';
import { mailNotices } from './mail.ts';
import { pushNotices } from './push.ts';
import { telegramNotices } from './telegram.ts';

const NOTICE_CHANNELS: readonly NoticeChannel[] = [pushNotices, telegramNotices, mailNotices];

/** A visible page shows the end within this time. Channels that wait for pages then skip it. */
const PAGE_FIRST_SECONDS = 3;

type AnnounceApp = Pick<AppContext, 'queue' | 'telegram'>;

/**
 * Announces the end of a generation in the transaction that ends it: a notice and a job for each address that has none
 * yet. Fallback channels are used only where no other one reaches the account.
 */
export function announceEnd(
  app: AnnounceApp,
  tx: Tx,
  { id: generationId, accountId }: Pick<Generation, 'id' | 'accountId'>,
): Promise<void> {
  return announce(app, tx, { accountId, generationId, batchId: null }, { generationId });
}

/**
 * Announces that a batch has come to rest (`ended:<run>`) or pauses for stars (`stars:<run>`), in the transaction in which
 * it does. Each occasion is told once.
 */
export function announceBatch(
  app: AnnounceApp,
  tx: Tx,
  { accountId, batchId, occasion }: { accountId: number; batchId: string; occasion: string },
): Promise<void> {
  return announce(app, tx, { accountId, generationId: null, batchId }, { batchId, occasion });
}

/** Announces it again, for example after the chat that was told turned out to be gone. */
export function announceBatchAgain(
  app: AnnounceApp & Pick<AppContext, 'db'>,
  batch: { accountId: number; batchId: string; occasion: string },
): Promise<void> {
  return app.db.$transaction((tx) => announceBatch(app, tx, batch));
}

async function announce(
  app: AnnounceApp,
  tx: Tx,
  about: NoticeSubject,
  subject: Partial<Pick<Notice, 'generationId' | 'batchId' | 'occasion'>>,
): Promise<void> {
  const addressed: Prisma.NoticeCreateManyInput[] = [];
  for (const channel of NOTICE_CHANNELS.toSorted((a, b) => Number(a.isFallback) - Number(b.isFallback))) {
    if (channel.isFallback && addressed.length > 0) break;
    const targets = await channel.listTargets(app, tx, about);
    addressed.push(...targets.map((target) => ({ ...subject, channel: channel.name, target })));
  }
  if (addressed.length === 0) return;
  const notices = await tx.notice.createManyAndReturn({
    data: addressed,
    skipDuplicates: true,
    select: { id: true, channel: true },
  });
  for (const { id, channel } of notices) {
    const delaySeconds = findChannel(channel)?.yieldsToPage ? PAGE_FIRST_SECONDS : 0;
    await app.queue.send(tx, 'send-notice', { noticeId: id }, { delaySeconds });
  }
}

function findChannel(name: Notice['channel']): NoticeChannel | undefined {
  return NOTICE_CHANNELS.find((channel) => channel.name === name);
}

/** Announces the end again after an address turned out to be gone, so that a fallback may take its place. */
export function announceEndAgain(
  app: Pick<AppContext, 'db' | 'queue' | 'telegram'>,
  generation: Pick<Generation, 'id' | 'accountId'>,
): Promise<void> {
  return app.db.$transaction((tx) => announceEnd(app, tx, generation));
}

/**
 * Sends one notice, unless it was sent, its news is old, or the person has seen the end in the meantime. Throws when
 * the queue should retry it.
 */
export async function sendNotice(app: AppContext, noticeId: string): Promise<void> {
  const log = app.log.child({ noticeId });
  const notice = await app.db.notice.findUnique({
    where: { id: noticeId },
    include: { generation: true, batch: true },
  });
  if (!notice || notice.sentAt) return;
  const channel = findChannel(notice.channel);
  if (wasSeen(notice) && channel?.yieldsToPage) return;
  if (!channel || Date.now() - notice.createdAt.getTime() > NOTICE_LIFETIME_MS) {
    log.warn({ channel: notice.channel }, 'a notice was given up');
    return;
  }
  const isClaimed = channel.delivery === 'at_most_once';
  if (isClaimed && !(await claim(app, noticeId))) return;
  const news = await toNews(app, notice);
  let outcome: NoticeOutcome;
  try {
    outcome = await channel.send(app, news, notice.target);
  } catch (error) {
    if (isClaimed) await release(app, noticeId);
    throw error;
  }
  if (outcome.state === 'sent') {
    if (!isClaimed) await claim(app, noticeId);
    log.info({ action: 'notice_sent', channel: channel.name, topicId: news.topicId }, 'notice sent');
    return;
  }
  if (isClaimed) await release(app, noticeId);
  log.warn({ channel: channel.name, outcome }, 'notice not sent');
  if (outcome.state === 'dropped') {
    // If no address is left, a fallback is due.
    if (outcome.isGone) await announceAgain(app, notice);
    return;
  }
  const { retryAfterSeconds } = outcome;
  if (retryAfterSeconds === null) throw new Error(`${channel.name}: ${outcome.detail}`);
  await app.db.$transaction((tx) =>
    app.queue.send(tx, 'send-notice', { noticeId }, { delaySeconds: retryAfterSeconds }),
  );
}

/** Returns false when another run has it. */
async function claim(app: AppContext, id: string): Promise<boolean> {
  const { count } = await app.db.notice.updateMany({ where: { id, sentAt: null }, data: { sentAt: new Date() } });
  return count === 1;
}

async function release(app: AppContext, id: string): Promise<void> {
  await app.db.notice.updateMany({ where: { id }, data: { sentAt: null } });
}

type NoticeWithSubject = Notice & { generation: Generation | null; batch: Batch | null };

function announceAgain(app: AppContext, { generation, batch, occasion }: NoticeWithSubject): Promise<void> {
  return app.db.$transaction(async (tx) => {
    if (generation) await announceEnd(app, tx, generation);
    else if (batch && occasion !== null) {
      await announceBatch(app, tx, { accountId: batch.accountId, batchId: batch.id, occasion });
    }
  });
}

/** Whether its owner has seen on a page what it says. That stars are missing is said in any case. */
function wasSeen({ generation, batch, occasion }: NoticeWithSubject): boolean {
  if (generation) return generation.seenAt !== null;
  return batch !== null && occasion === nameEnd(batch.seenRun);
}

async function toNews(app: AppContext, { id, generation, batch, occasion }: NoticeWithSubject): Promise<News> {
  if (generation) {
    const ending = {
      made: resultKindOf(generation),
      isCompleted: generation.status === 'completed',
      failureCode: generation.failureCode,
      isFree: generation.stars === 0,
    };
    return {
      noticeId: id,
      accountId: generation.accountId,
      ...describeEnding(ending),
      address: `${app.config.publicUrl}${resultPath(generation.kind, generation.id)}`,
      linkText: 'Открыть результат',
      topicId: generation.id,
      generationId: generation.id,
      batch: null,
    };
  }
  if (!batch || occasion === null) throw new Error(`the notice ${id} is about nothing`);
  return {
    noticeId: id,
    accountId: batch.accountId,
    ...(await describeBatchNews(app, batch, occasion)),
    address: `${app.config.publicUrl}${batchPath(batch.id)}`,
    linkText: 'Открыть партию',
    topicId: batch.id,
    generationId: null,
    batch: { id: batch.id, occasion },
  };
}

/** The occasion of the end of a run. */
export function nameEnd(run: number): string {
  return `ended:${run}`;
}

/** «48 готово, 2 не вышло», or that stars are missing. */
async function describeBatchNews(
  { db }: Pick<AppContext, 'db'>,
  { id, name }: Batch,
  occasion: string | null,
): Promise<Pick<News, 'title' | 'body'>> {
  if (occasion?.startsWith('stars:')) {
    return { title: 'Партия ждёт звёзд', body: `«${name}» продолжится, когда на балансе хватит звёзд.` };
  }
  const rows = await db.batchRow.findMany({
    where: { batchId: id },
    select: { stage: true, retriesLeft: true, generation: { select: { status: true, failureCode: true } } },
  });
  const counts = countRows(rows.map(({ generation, ...row }) => rowStateOf({ ...row, attempt: generation })));
  const parts = [`${counts.done} готово`, ...(counts.failed > 0 ? [`${counts.failed} не вышло`] : [])];
  return { title: `«${name}»: ${parts.join(', ')}`, body: 'Откройте, чтобы посмотреть и взять лучшее.' };
}

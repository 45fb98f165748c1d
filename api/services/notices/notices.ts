import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import type { Generation, Notice } from '#prisma/generated/client.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { NOTICE_LIFETIME_MS, type NoticeChannel, type NoticeOutcome } from './channel.ts';
import { mailNotices } from './mail.ts';
import { pushNotices } from './push.ts';
import { telegramNotices } from './telegram.ts';

const NOTICE_CHANNELS: readonly NoticeChannel[] = [pushNotices, telegramNotices, mailNotices];

/** A visible page shows the end within this time. Channels that wait for pages then skip it. */
const PAGE_FIRST_SECONDS = 3;

/**
 * Announces the end of a generation in the transaction that ends it: a notice and a job for each address that has none
 * yet. Fallback channels are used only where no other one reaches the account.
 */
export async function announceEnd(
  app: Pick<AppContext, 'queue' | 'telegram'>,
  tx: Tx,
  generation: Pick<Generation, 'id' | 'accountId'>,
): Promise<void> {
  const addressed: Pick<Notice, 'generationId' | 'channel' | 'target'>[] = [];
  for (const channel of NOTICE_CHANNELS.toSorted((a, b) => Number(a.isFallback) - Number(b.isFallback))) {
    if (channel.isFallback && addressed.length > 0) break;
    const targets = await channel.listTargets(app, tx, generation);
    addressed.push(...targets.map((target) => ({ generationId: generation.id, channel: channel.name, target })));
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
  const notice = await app.db.notice.findUnique({ where: { id: noticeId }, include: { generation: true } });
  if (!notice || notice.sentAt) return;
  const channel = findChannel(notice.channel);
  if (notice.generation.seenAt && channel?.yieldsToPage) return;
  if (!channel || Date.now() - notice.createdAt.getTime() > NOTICE_LIFETIME_MS) {
    log.warn({ channel: notice.channel }, 'a notice was given up');
    return;
  }
  const isClaimed = channel.delivery === 'at_most_once';
  if (isClaimed && !(await claim(app, noticeId))) return;
  let outcome: NoticeOutcome;
  try {
    outcome = await channel.send(app, toNews(app, notice), notice.target);
  } catch (error) {
    if (isClaimed) await release(app, noticeId);
    throw error;
  }
  if (outcome.state === 'sent') {
    if (!isClaimed) await claim(app, noticeId);
    log.info({ action: 'notice_sent', channel: channel.name, generationId: notice.generationId }, 'notice sent');
    return;
  }
  if (isClaimed) await release(app, noticeId);
  log.warn({ channel: channel.name, outcome }, 'notice not sent');
  if (outcome.state === 'dropped') {
    // If no address is left, a fallback is due.
    if (outcome.isGone) await announceEndAgain(app, notice.generation);
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

function toNews(app: AppContext, { id, generation }: Notice & { generation: Generation }) {
  return {
    noticeId: id,
    generationId: generation.id,
    accountId: generation.accountId,
    made: resultKindOf(generation),
    isCompleted: generation.status === 'completed',
    failureCode: generation.failureCode,
    isFree: generation.stars === 0,
    address: `${app.config.publicUrl}${resultPath(generation.kind, generation.id)}`,
  };
}

import { lockChat } from '#api/services/accounts/chats.ts';
import { lockAccount } from '#api/services/accounts/email-codes.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { stopBatches } from '#api/services/batches/settle.ts';
import { forgetTelegramUser } from '#api/services/chat/users.ts';
import { chooseErasedKey, isErasedKey } from '#api/services/core/erased-key.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { DELETION_GRACE_MS, UNCONFIRMED_KEPT_MS } from '#shared/rules/retention.ts';
import { listWithMerged } from './merge-accounts.ts';

const NO_HASH = new Uint8Array(32);

/**
 * Removes the data of every account whose owner asked for it 30 days ago, or has not confirmed the e-mail within a
 * week. A failure does not hold up the others.
 */
export async function eraseDueAccounts(app: AppContext): Promise<void> {
  const due: { id: number }[] = [];
  // One by one, because each follows an index of its own.
  for (const where of listDue(app)) due.push(...(await app.db.account.findMany({ where, select: { id: true } })));
  for (const { id: accountId } of due) {
    try {
      await eraseAccount(app, accountId);
    } catch (error) {
      app.log.error({ err: error, accountId }, 'the data of an account could not be removed; the next run goes on');
    }
  }
}

function listDue({ config }: Pick<AppContext, 'config'>): Prisma.AccountWhereInput[] {
  const askedBefore = new Date(Date.now() - DELETION_GRACE_MS);
  const madeBefore = new Date(Date.now() - UNCONFIRMED_KEPT_MS);
  const isUnconfirmed = {
    email: { not: null },
    emailVerifiedAt: null,
    // An administrator whom only the setting names may work without a confirmed address.
    isAdmin: false,
    id: { notIn: config.adminUserIds },
  };
  // The files of a merged account belong to the other one, and go with that.
  const isKept = { erasedAt: null, mergedIntoId: null };
  return [
    { ...isKept, deletionAskedAt: { lte: askedBefore } },
    // Nobody without a confirmed e-mail can pay. Whoever did is not lost because of a fault in that.
    { ...isKept, ...isUnconfirmed, createdAt: { lte: madeBefore }, payments: { none: { status: 'succeeded' } } },
  ];
}

/**
 * Each step may be repeated, and `erasedAt` is written last: the next run finishes an interrupted one. The first step
 * is the irreversible one. After it nobody can sign in, so nothing new appears while the rest is removed.
 */
async function eraseAccount(app: AppContext, accountId: number): Promise<void> {
  if (!(await closeAccount(app, accountId))) return;
  // Files stay below the account that made them, even when another account has taken it over since.
  const accountIds = await listWithMerged(app, [accountId]);
  for (const id of accountIds) await stopBatches(app, id);
  await endActiveGenerations(app, accountIds);
  for (const id of accountIds) {
    for (const folder of [`photos/${id}/`, `results/${id}/`, `packs/${id}/`]) {
      for await (const { key } of app.storage.list(folder)) await app.storage.remove(key);
    }
  }
  await stripRows(app, accountId, accountIds);
  app.log.info({ action: 'account_erased', accountId }, 'the data of an account were removed');
}

/** Returns false when the deletion was cancelled, or the e-mail confirmed, meanwhile. */
function closeAccount(app: AppContext, accountId: number): Promise<boolean> {
  return app.db.$transaction(async (tx) => {
    await lockChat(tx, accountId);
    await lockAccount(tx, accountId);
    const account = await tx.account.findFirst({ where: { OR: listDue(app), id: accountId } });
    if (!account) return false;
    if (isErasedKey(account.emailKey)) return true;
    await tx.pushSubscription.deleteMany({ where: { accountId } });
    await tx.session.deleteMany({ where: { accountId } });
    await tx.emailCode.deleteMany({ where: { accountId } });
    await tx.interviewRequest.deleteMany({ where: { accountId } });
    await tx.analyticsEvent.updateMany({ where: { accountId }, data: { accountId: null } });
    await forgetTelegramUser(tx, accountId);
    await tx.secondFactor.deleteMany({ where: { accountId } });
    const nameless = { username: 'Удалённый аккаунт', firstName: null, lastName: null };
    await tx.account.updateMany({ where: { mergedIntoId: accountId }, data: nameless });
    await tx.account.update({
      where: { id: accountId },
      data: {
        emailKey: chooseErasedKey(accountId),
        // The administration and the books show it; no mail can go there (RFC 6761).
        email: `account-${accountId}@erased.invalid`,
        passwordHash: 'erased',
        isAdmin: false,
        ...nameless,
        mailsResults: false,
        interviewInvitedAt: null,
      },
    });
    return true;
  });
}

/** One that is left, for example because a clock stood still, is ended like a cancelled one. */
async function endActiveGenerations(app: AppContext, accountIds: number[]): Promise<void> {
  const active = await app.db.generation.findMany({
    where: { accountId: { in: accountIds }, status: { in: [...ACTIVE_STATUSES] } },
  });
  for (const generation of active) await endGeneration(app, generation, 'cancelled');
}

/** Rows that the books refer to stay, without what the person wrote or chose. */
async function stripRows(app: AppContext, id: number, accountIds: number[]): Promise<void> {
  const accountId = { in: accountIds };
  await app.db.$transaction(async (tx) => {
    // What was decided stays. Nobody can judge the rest without the results.
    await tx.resultReport.deleteMany({ where: { accountId, status: 'open' } });
    await tx.resultReport.updateMany({ where: { accountId }, data: { comment: null, answer: null } });
    await tx.notice.deleteMany({ where: { generation: { accountId } } });
    await tx.generationInput.deleteMany({ where: { generation: { accountId } } });
    // A picked photo refers to its result.
    await tx.photo.deleteMany({ where: { accountId } });
    await tx.result.deleteMany({ where: { accountId } });
    await tx.resultNumber.deleteMany({ where: { accountId } });
    await tx.generation.updateMany({
      where: { accountId },
      data: { settings: {}, requestHash: NO_HASH, idempotencyKey: null, productId: null },
    });
    await tx.settingSet.deleteMany({ where: { accountId } });
    await tx.pack.deleteMany({ where: { accountId } });
    await tx.batch.deleteMany({ where: { accountId } });
    await tx.batchLine.deleteMany({ where: { accountId } });
    await tx.product.deleteMany({ where: { accountId } });
    // What the engines cost stays in the books. Where a provider keeps the person's files does not.
    await tx.engineRun.updateMany({
      where: { generation: { accountId } },
      data: { jobId: null, jobDetails: {} },
    });
    await tx.account.update({ where: { id }, data: { erasedAt: new Date() } });
  });
}

import type { Db, Tx } from '#api/database/database.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { withNames } from '#api/services/generations/results/result-names.ts';
import type { Batch, Prisma, Result, TelegramBatch } from '#prisma/generated/client.ts';

export type ChatBatch = TelegramBatch & { batch: Batch };

/** Of batches whose account is the one of their chat. It is not after the chat was unlinked. */
const OF_THEIR_CHAT = (chatId: bigint | number): Prisma.TelegramBatchWhereInput => ({
  chatId,
  batch: { account: { telegramUser: { id: chatId } } },
});

/** The batch that a photo goes into which was sent to the chat at this time. Null for none. */
export async function findCollectingBatch(
  app: WithDb,
  { chatId, sentAt }: { chatId: number; sentAt: Date },
): Promise<string | null> {
  const found = await app.db.telegramBatch.findFirst({
    where: { ...OF_THEIR_CHAT(chatId), collectsUntil: { gte: sentAt } },
    orderBy: { collectsUntil: 'desc' },
    select: { batchId: true },
  });
  return found?.batchId ?? null;
}

export function findBatch(app: WithDb, id: string): Promise<Batch | null> {
  return app.db.batch.findUnique({ where: { id } });
}

/** The batch that has this row. Null without such a row. */
export async function findBatchOfRow(app: WithDb, rowId: string): Promise<string | null> {
  const row = await app.db.batchRow.findUnique({ where: { id: rowId }, select: { batchId: true } });
  return row?.batchId ?? null;
}

/**
 * Makes a batch one of this chat, which takes photos until this time, or later if it does so already. The caller has seen
 * that its account is the one of the chat. `isSetChosen`: of one that the chat has not had. What was made before is not
 * sent by itself.
 */
export async function collectInChat(
  app: WithDb,
  { batchId, chatId, until, isSetChosen }: { batchId: string; chatId: number; until: Date; isSetChosen: boolean },
): Promise<void> {
  if ((await app.db.telegramBatch.count({ where: { batchId, chatId } })) === 0) {
    const handedOver = await listMadeGenerations(app.db, batchId);
    const begun = { chatId, collectsUntil: until, isSetChosen, handedOver };
    const former = { messageId: null, isFollowed: false };
    await app.db.telegramBatch.upsert({
      where: { batchId },
      create: { batchId, ...begun },
      // The account has had another chat before.
      update: { ...begun, ...former },
    });
  }
  await app.db.telegramBatch.updateMany({
    where: { batchId, chatId, collectsUntil: { lt: until } },
    data: { collectsUntil: until },
  });
}

/** The batch as its chat has it. Null for one of the site, of another chat, or of an account that the chat has not. */
export function findChatBatch(app: WithDb, batchId: string, chatId: bigint | number): Promise<ChatBatch | null> {
  return app.db.telegramBatch.findFirst({ where: { batchId, ...OF_THEIR_CHAT(chatId) }, include: { batch: true } });
}

export async function changeChatBatch(
  app: WithDb,
  { batchId, chatId }: { batchId: string; chatId: bigint | number },
  data: Partial<Pick<TelegramBatch, 'messageId' | 'isSetChosen' | 'isFollowed' | 'collectsUntil'>>,
): Promise<void> {
  await app.db.telegramBatch.updateMany({ where: { batchId, chatId }, data });
}

/** Batches whose message follows what happens, and which of them belong to chats that were unlinked since. */
export async function listFollowedBatches(app: WithDb): Promise<(ChatBatch & { isParted: boolean })[]> {
  const found = await app.db.telegramBatch.findMany({
    where: { isFollowed: true },
    include: { batch: { include: { account: { select: { telegramUser: { select: { id: true } } } } } } },
    orderBy: { batchId: 'asc' },
  });
  return found.map(({ batch: { account, ...batch }, ...row }) => ({
    ...row,
    batch,
    isParted: account.telegramUser?.id !== row.chatId,
  }));
}

/**
 * Has the results of a batch that has come to rest sent to its chat, each once. Returns how many generations have some.
 */
export function handOver(
  app: Pick<AppContext, 'db' | 'queue'>,
  { batchId, chatId }: Pick<TelegramBatch, 'batchId' | 'chatId'>,
): Promise<number> {
  return app.db.$transaction(async (tx) => {
    await tx.$executeRaw`select from telegram_batches where batch_id = ${batchId}::uuid for update`;
    const row = await tx.telegramBatch.findUnique({ where: { batchId } });
    if (row?.chatId !== chatId) return 0;
    const made = await listMadeGenerations(tx, batchId);
    const generationIds = made.filter((id) => !row.handedOver.includes(id));
    const [first] = generationIds;
    if (first === undefined) return 0;
    await tx.telegramBatch.update({ where: { batchId }, data: { handedOver: { push: generationIds } } });
    const causeKey = `batch:${batchId}:${first}`;
    await app.queue.send(tx, 'send-telegram-batch', { batchId, chatId: String(chatId), generationIds, causeKey });
    return generationIds.length;
  });
}

/** Results that did not reach their chat are handed over once more when its person writes again. */
export async function takeBack(app: WithDb, batchId: string, generationIds: readonly string[]): Promise<void> {
  await app.db.$executeRaw`
    update telegram_batches set handed_over = array(
      select one from unnest(handed_over) as one where not one = any(${generationIds}::uuid[])
    ) where batch_id = ${batchId}::uuid`;
}

/** The last attempts of the rows of a batch that have been completed, in the order of the rows. */
export async function listMadeGenerations(db: Db | Tx, batchId: string): Promise<string[]> {
  const rows = await db.batchRow.findMany({
    where: { batchId, stage: 'started', generation: { status: 'completed' } },
    orderBy: { position: 'asc' },
    select: { generationId: true },
  });
  return rows.flatMap(({ generationId }) => generationId ?? []);
}

/** Call this when a person who could not be reached writes again: what ended in the meantime is shown and sent. */
export async function resumeBatches(
  app: Pick<AppContext, 'db' | 'queue'>,
  chatId: number,
  { since }: { since: Date },
): Promise<void> {
  const missed = await app.db.telegramBatch.findMany({
    where: {
      ...OF_THEIR_CHAT(chatId),
      messageId: { not: null },
      batch: {
        account: { telegramUser: { id: chatId } },
        rows: { some: { generation: { OR: [{ finishedAt: { gte: since } }, { finishedAt: null }] } } },
      },
    },
    include: { batch: { select: { status: true } } },
  });
  for (const { batch, ...row } of missed) {
    await changeChatBatch(app, row, { isFollowed: true });
    if (batch.status === 'open') await handOver(app, row);
  }
}

export type NamedResult = Awaited<ReturnType<typeof withNames<Result>>>[number];

/** Results that are not deleted, in the order of their generations, with what they are called. */
export async function listNamedResults(
  app: WithDb,
  accountId: number,
  generationIds: readonly string[],
): Promise<NamedResult[]> {
  const found = await app.db.result.findMany({
    where: { accountId, generationId: { in: [...generationIds] }, deletedAt: null },
    orderBy: { position: 'asc' },
  });
  const byGeneration = Map.groupBy(found, ({ generationId }) => generationId);
  return withNames(
    app.db,
    generationIds.flatMap((id) => byGeneration.get(id) ?? []),
  );
}

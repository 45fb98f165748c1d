import type { Tx } from '#api/database/database.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import type { Generation, TelegramOrder } from '#prisma/generated/client.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { lockTelegramUser } from './users.ts';

export type FollowedOrder = TelegramOrder & { generation: Generation };

/** Records which message of which chat shows the progress of a generation. A repeat changes nothing. */
export async function followInChat(
  app: WithDb,
  order: { generationId: string; chatId: number; messageId: number },
): Promise<void> {
  await app.db.telegramOrder.createMany({ data: [order], skipDuplicates: true });
}

/** Orders whose end has not been shown, oldest first, and which of them belong to chats that were unlinked since. */
export async function listFollowedOrders(app: WithDb): Promise<{ orders: FollowedOrder[]; parted: Set<string> }> {
  // One statement, because otherwise it could see half of a concurrent link.
  const parted = await app.db.$queryRaw<{ id: string }[]>`
    select generation_id as id from telegram_orders as followed
    where told_at is null and not exists (
      select from generations join telegram_users on telegram_users.account_id = generations.account_id
      where generations.id = followed.generation_id and telegram_users.id = followed.chat_id)`;
  const orders = await app.db.telegramOrder.findMany({
    where: { toldAt: null },
    include: { generation: true },
    orderBy: { generationId: 'asc' },
  });
  return { orders, parted: new Set(parted.map(({ id }) => id)) };
}

export async function dropOrder(app: WithDb, generationId: string): Promise<void> {
  await app.db.telegramOrder.updateMany({ where: { generationId, toldAt: null }, data: { toldAt: new Date() } });
}

/**
 * Call this when a person who could not be reached writes again. The next round shows orders that ended in the meantime
 * and were not announced here. Their results are sent unless they were sent before.
 */
export async function resumeOrders(
  app: Pick<AppContext, 'db' | 'queue'>,
  chatId: number,
  { since }: { since: Date },
): Promise<void> {
  const where = { chatId, toldAt: { gte: since }, generation: { account: { telegramUser: { id: chatId } } } };
  await app.db.$transaction(async (tx) => {
    // An order is either closed before this lock and found here, or closed after it, when its person can be reached.
    await lockTelegramUser(tx, BigInt(chatId));
    await tx.telegramUser.update({ where: { id: chatId }, data: { unreachableAt: null } });
    const missed = await tx.telegramOrder.findMany({ where, include: { generation: true } });
    const ids = missed.map(({ generationId }) => generationId);
    await tx.telegramOrder.updateMany({ where: { generationId: { in: ids } }, data: { toldAt: null } });
    for (const { generationId, generation } of missed) {
      if (generation.status !== 'completed') continue;
      await app.queue.send(tx, 'send-telegram-result', { generationId, chatId: String(chatId) });
    }
  });
}

/** Closes an order whose message shows the end. Sends the result to the chat if nothing else does. */
export async function closeOrder(app: Pick<AppContext, 'db' | 'queue'>, order: FollowedOrder): Promise<void> {
  const { generationId, chatId, generation } = order;
  if (!isFinal(generation.status)) throw new Error(`generation ${generationId} has not ended`);
  await app.db.$transaction(async (tx) => {
    await lockTelegramUser(tx, chatId);
    const { count } = await tx.telegramOrder.updateMany({
      where: { generationId, toldAt: null },
      data: { toldAt: new Date() },
    });
    if (count === 0 || !(await isResultUnannounced(tx, order))) return;
    await app.queue.send(tx, 'send-telegram-result', { generationId, chatId: String(chatId) });
  });
}

/**
 * Whether there is a result that no notice brings to the chat. A cancelled photo session with finished frames has one,
 * because nobody is notified of what they did themselves; so has a generation that ended while the bot was off.
 */
export async function isResultUnannounced(
  db: Pick<Tx, 'notice' | 'telegramUser'>,
  { generationId, chatId, generation }: FollowedOrder,
): Promise<boolean> {
  if (generation.status !== 'completed') return false;
  const reachable = { id: chatId, accountId: generation.accountId, unreachableAt: null };
  if ((await db.telegramUser.count({ where: reachable })) === 0) return false;
  return (await db.notice.count({ where: { generationId, channel: 'telegram' } })) === 0;
}

export function findOrderOfMessage(app: WithDb, chatId: number, messageId: number): Promise<TelegramOrder | null> {
  return app.db.telegramOrder.findFirst({ where: { chatId, messageId } });
}

export function findOrder(app: WithDb, generationId: string): Promise<FollowedOrder | null> {
  return app.db.telegramOrder.findUnique({ where: { generationId }, include: { generation: true } });
}

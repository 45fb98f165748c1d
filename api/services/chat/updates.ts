import type { Update } from 'grammy/types';
import { z } from 'zod';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { answerPreCheckout } from '#api/services/payments/telegram-checkout.ts';
import { bookPaymentAtOnce } from '#api/services/payments/telegram-invoices.ts';
import type { Prisma, TelegramUpdate } from '#prisma/generated/client.ts';

/** Handled updates are kept this long, to recognise repeats. */
const KEPT_MS = 7 * 24 * 3_600_000;
export const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'callback_query',
  'pre_checkout_query',
  'my_chat_member',
] as const;

export type { TelegramUpdate };

/** The rest of an update is parsed where it is used. Telegram's format is trusted. */
const update = z.looseObject({ update_id: z.int() });

/**
 * Stores updates before anything is done about them. Two kinds are handled at once: the question before a payment,
 * because the buyer waits, and a payment, which could otherwise be made again. Throws AppError invalid_request.
 */
export async function receiveTelegramUpdates(app: AppContext, sent: unknown[]): Promise<void> {
  for (const body of sent) {
    const parsed = update.safeParse(body);
    if (!parsed.success) throw new AppError('invalid_request');
    const known = removeUnstorable(parsed.data) as unknown as Update;
    if (known.pre_checkout_query) {
      // Not awaited: the next update may be the question of another buyer.
      void answerPreCheckout(app, known.pre_checkout_query);
      continue;
    }
    const chatId = findChat(known);
    if (chatId === null) continue;
    const { count } = await app.db.telegramUpdate.createMany({
      data: [{ id: known.update_id, chatId, body: known as unknown as Prisma.InputJsonObject }],
      skipDuplicates: true,
    });
    if (count > 0 && known.message?.successful_payment) void bookPaymentAtOnce(app, known.message);
    app.state.telegramUpdates.emit('recorded', BigInt(chatId));
  }
}

/**
 * Removes what PostgreSQL cannot store in a text: NULs and unpaired surrogates. A modified client may send both. An
 * update that cannot be stored would be delivered again for ever and block all others.
 */
function removeUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(removeUnstorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map((pair) => pair.map(removeUnstorable)));
}

/** The chat whose queue handles the update. Null for a kind that was not requested or has no chat. */
function findChat({ message, edited_message, callback_query, my_chat_member }: Update): number | null {
  const chat = (message ?? edited_message ?? callback_query?.message ?? my_chat_member)?.chat;
  const id: unknown = chat?.id ?? callback_query?.from?.id;
  return Number.isSafeInteger(id) ? Number(id) : null;
}

export async function listWaitingChats(app: WithDb): Promise<bigint[]> {
  const rows = await app.db.telegramUpdate.findMany({
    where: { finishedAt: null },
    distinct: ['chatId'],
    select: { chatId: true },
  });
  return rows.map(({ chatId }) => chatId);
}

/**
 * The oldest unhandled update of a chat, with its attempt counted. Null when there is none, or while the condition
 * `holds` is not true: then another process handles updates.
 */
export async function beginNextUpdate(app: WithDb, chatId: bigint, holds: Prisma.Sql): Promise<TelegramUpdate | null> {
  const next = await app.db.telegramUpdate.findFirst({ where: { chatId, finishedAt: null }, orderBy: { id: 'asc' } });
  if (!next) return null;
  const count = await app.db.$executeRaw`
    update telegram_updates set attempts = attempts + 1 where id = ${next.id} and finished_at is null and ${holds}`;
  return count === 0 ? null : { ...next, attempts: next.attempts + 1 };
}

/** Removes an attempt from the count if it failed through no fault of the update. */
export async function uncountAttempt(app: WithDb, id: bigint): Promise<void> {
  await app.db.telegramUpdate.updateMany({ where: { id }, data: { attempts: { decrement: 1 } } });
}

export async function finishUpdate(app: WithDb, id: bigint): Promise<void> {
  // Uses `updateMany`, because the person's data may have been removed meanwhile.
  await app.db.telegramUpdate.updateMany({ where: { id }, data: { finishedAt: new Date() } });
}

/** How many updates a chat had within the given time up to this one, including it. All of an album count as one. */
export async function countRecentUpdates(
  app: WithDb,
  { updateId, windowMs }: { updateId: number; windowMs: number },
): Promise<number> {
  const [row] = await app.db.$queryRaw<[{ count: number }]>`
    select count(distinct coalesce(one.body -> 'message' ->> 'media_group_id', one.id::text))::int as count
    from telegram_updates as this join telegram_updates as one on one.chat_id = this.chat_id and one.id <= this.id
    where this.id = ${updateId} and one.created_at > this.created_at - ${windowMs}::int * interval '1 millisecond'`;
  return row.count;
}

/** Whether another photo or file of the same chat, sent later, is still to be handled. */
export async function isFileWaiting(
  app: WithDb,
  { chatId, updateId }: { chatId: number; updateId: number },
): Promise<boolean> {
  const [row] = await app.db.$queryRaw<[{ is: boolean }]>`
    select exists (
      select from telegram_updates
      where chat_id = ${chatId} and id > ${updateId} and finished_at is null
        and jsonb_exists_any(body -> 'message', array['photo', 'document', 'video', 'sticker'])
    ) as is`;
  return row.is;
}

export async function removeOldTelegramRows(app: WithDb): Promise<void> {
  const before = new Date(Date.now() - KEPT_MS);
  await app.db.telegramUpdate.deleteMany({ where: { finishedAt: { lt: before } } });
  await app.db.telegramMessage.deleteMany({ where: { createdAt: { lt: before } } });
  await app.db.linkToken.deleteMany({ where: { expiresAt: { lt: before } } });
}

import type { AppContext } from '#api/app-context.ts';
import type { Generation, TelegramOrder } from '#prisma/generated/client.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';

export type FollowedOrder = TelegramOrder & { generation: Generation };

/** Notes in which message of which chat the person sees how far a generation is. The same again changes nothing. */
export async function followInChat(
  app: Pick<AppContext, 'db'>,
  order: { generationId: string; chatId: number; messageId: number },
): Promise<void> {
  await app.db.telegramOrder.createMany({ data: [order], skipDuplicates: true });
}

/** Orders whose end was not shown yet, the oldest first. */
export function listFollowedOrders(app: Pick<AppContext, 'db'>): Promise<FollowedOrder[]> {
  return app.db.telegramOrder.findMany({
    where: { toldAt: null },
    include: { generation: true },
    orderBy: { generationId: 'asc' },
  });
}

/** The message shows the end: nothing more will change there. */
export async function closeOrder(
  app: Pick<AppContext, 'db'>,
  { generationId, generation }: FollowedOrder,
): Promise<void> {
  if (!isFinal(generation.status)) throw new Error(`generation ${generationId} has not ended`);
  await app.db.telegramOrder.updateMany({ where: { generationId }, data: { toldAt: new Date() } });
}

/** The generation that a message tells of; null for a message that tells of none. */
export function findOrderOfMessage(
  app: Pick<AppContext, 'db'>,
  chatId: number,
  messageId: number,
): Promise<TelegramOrder | null> {
  return app.db.telegramOrder.findFirst({ where: { chatId, messageId } });
}

/** Null for a generation that was not started in a chat. */
export function findOrder(app: Pick<AppContext, 'db'>, generationId: string): Promise<FollowedOrder | null> {
  return app.db.telegramOrder.findUnique({ where: { generationId }, include: { generation: true } });
}

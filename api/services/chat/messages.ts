import type { WithDb } from '#api/services/app-context.ts';

/** Claims a message before it is sent. Returns false when one with this cause was sent, or may have been. */
export async function claimMessage(app: WithDb, causeKey: string, chatId: bigint | number): Promise<boolean> {
  const { count } = await app.db.telegramMessage.createMany({ data: [{ causeKey, chatId }], skipDuplicates: true });
  return count === 1;
}

/** Telegram's message_id of what was sent for this cause. Null for nothing, and while it is not known. */
export async function findSentMessage(app: WithDb, causeKey: string): Promise<number | null> {
  const sent = await app.db.telegramMessage.findUnique({ where: { causeKey }, select: { messageId: true } });
  return sent?.messageId ?? null;
}

/** Releases the claim of a message that was certainly not sent, so that it may be tried again. */
export async function releaseMessage(app: WithDb, causeKey: string): Promise<void> {
  await app.db.telegramMessage.deleteMany({ where: { causeKey } });
}

export async function recordMessage(app: WithDb, causeKey: string, messageId: number | null): Promise<void> {
  await app.db.telegramMessage.updateMany({ where: { causeKey }, data: { messageId } });
}

/** Telegram's id of a file that was sent before. Null if there is none. */
export async function findTelegramFile(app: WithDb, resultId: string, variant: string): Promise<string | null> {
  const file = await app.db.telegramFile.findUnique({ where: { resultId_variant: { resultId, variant } } });
  return file?.fileId ?? null;
}

export async function keepTelegramFile(app: WithDb, resultId: string, variant: string, fileId: string): Promise<void> {
  await app.db.telegramFile.upsert({
    where: { resultId_variant: { resultId, variant } },
    create: { resultId, variant, fileId },
    update: { fileId },
  });
}

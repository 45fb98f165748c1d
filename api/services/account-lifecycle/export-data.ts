import { readNumberedPages, readPages } from '#api/database/read-pages.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { presentName } from '#api/services/generations/results/result-names.ts';
import { isGone } from '#api/services/generations/results/results.ts';
import type { Account } from '#prisma/generated/client.ts';

type Db = AppContext['db'];

/** One JSON file of an export: what it is, and its records, read page by page. */
export interface DataSection {
  name: string;
  /** For the contents list, in Russian. */
  title: string;
  read: (db: Db, accountId: number) => AsyncIterable<object>;
}

/**
 * Everything stored about a person, except what gives access: hashes of passwords, tokens and codes, and the keys of
 * push devices. A new table of personal data belongs here and into the erasure.
 */
export const DATA_SECTIONS: DataSection[] = [
  { name: 'account', title: 'аккаунт и согласия', read: readAccount },
  { name: 'sessions', title: 'сеансы: где выполнен вход', read: readSessions },
  { name: 'second-factor', title: 'второй фактор', read: readSecondFactor },
  { name: 'mailed-codes', title: 'коды, отправленные письмом: когда и зачем', read: readCodes },
  { name: 'photos', title: 'загруженные фото', read: readPhotos },
  { name: 'generations', title: 'генерации и их настройки', read: readGenerations },
  { name: 'setting-sets', title: 'наборы настроек', read: readSettingSets },
  { name: 'batches', title: 'партии и их строки', read: readBatches },
  { name: 'results', title: 'готовые видео и изображения', read: readResults },
  { name: 'reports', title: 'жалобы на результаты и решения по ним', read: readReports },
  { name: 'notices', title: 'уведомления о готовности', read: readNotices },
  { name: 'stars', title: 'история звёзд', read: readStars },
  { name: 'payments', title: 'платежи и возвраты', read: readPayments },
  { name: 'interview', title: 'заявка на интервью', read: readInterview },
  { name: 'push-devices', title: 'устройства с уведомлениями', read: readPushDevices },
  { name: 'telegram', title: 'связь с Telegram', read: readTelegram },
  { name: 'telegram-received', title: 'сообщения боту, которые ещё хранятся', read: readTelegramUpdates },
  { name: 'telegram-sent', title: 'сообщения бота: когда и почему', read: readTelegramMessages },
  { name: 'analytics', title: 'события интерфейса', read: readAnalytics },
  { name: 'administration', title: 'действия администратора с аккаунтом', read: readAudit },
];

export function namePhotoFile({ id }: { id: string }): string {
  return `photos/${id}.jpg`;
}

export function namePhotoMask({ id }: { id: string }): string {
  return `photos/${id}-mask.png`;
}

export function nameResultFile(result: { generationId: string; position: number; contentType: string }): string {
  const extension =
    result.contentType === 'video/mp4' ? 'mp4' : result.contentType.replace('image/', '').replace('jpeg', 'jpg');
  return `results/${result.generationId}-${result.position + 1}.${extension}`;
}

async function* readAccount(db: Db, accountId: number) {
  const {
    passwordHash: _hash,
    emailKey: _key,
    ...account
  }: Account = await db.account.findUniqueOrThrow({
    where: { id: accountId },
  });
  yield account;
}

async function* readSessions(db: Db, accountId: number) {
  yield* await db.session.findMany({
    where: { accountId },
    omit: { tokenHash: true, replacedTokenHash: true, accountId: true },
  });
}

async function* readSecondFactor(db: Db, accountId: number) {
  yield* await db.secondFactor.findMany({ where: { accountId }, select: { createdAt: true, confirmedAt: true } });
}

async function* readCodes(db: Db, accountId: number) {
  yield* await db.emailCode.findMany({
    where: { accountId },
    select: { purpose: true, mailedTo: true, createdAt: true, usedAt: true },
  });
}

async function* readPhotos(db: Db, accountId: number) {
  for await (const photo of readPages((page) =>
    db.photo.findMany({ ...page, where: { ...page.where, accountId }, include: { result: true } }),
  )) {
    const { id, name, type, size, width, height, storedBytes, createdAt, maskKey, result, productId, guessedArticle } =
      photo;
    if (result && isGone(result)) continue;
    const file = result ? nameResultFile(result) : namePhotoFile(photo);
    const mask = maskKey && namePhotoMask(photo);
    yield { id, name, productId, guessedArticle, type, size, width, height, storedBytes, createdAt, file, mask };
  }
}

async function* readGenerations(db: Db, accountId: number) {
  yield* readPages((page) =>
    db.generation.findMany({
      ...page,
      where: { ...page.where, accountId },
      omit: { accountId: true, requestHash: true, idempotencyKey: true },
      include: { inputs: { omit: { generationId: true }, orderBy: { position: 'asc' } } },
    }),
  );
}

async function* readSettingSets(db: Db, accountId: number) {
  yield* await db.settingSet.findMany({
    where: { accountId },
    omit: { accountId: true, nameKey: true },
    orderBy: { id: 'asc' },
  });
}

async function* readBatches(db: Db, accountId: number) {
  yield* readPages((page) =>
    db.batch.findMany({
      ...page,
      where: { ...page.where, accountId },
      omit: { accountId: true },
      include: { rows: { omit: { batchId: true, retriesLeft: true, isReroll: true }, orderBy: { position: 'asc' } } },
    }),
  );
}

async function* readResults(db: Db, accountId: number) {
  for await (const result of readPages((page) =>
    db.result.findMany({
      ...page,
      where: { ...page.where, accountId },
      include: {
        product: { select: { id: true, article: true } },
        garmentCheck: { omit: { resultId: true, attempts: true, sourceCrop: true, resultCrop: true } },
      },
    }),
  )) {
    if (isGone(result)) continue;
    const { id, generationId, kind, position, productId, contentType, bytes, width, height } = result;
    const { durationSeconds, createdAt, deletedAt, garmentCheck } = result;
    yield {
      id,
      generationId,
      kind,
      position,
      productId,
      title: presentName(result, result.product).title,
      contentType,
      bytes,
      width,
      height,
      durationSeconds,
      createdAt,
      deletedAt,
      garmentCheck,
      file: nameResultFile(result),
    };
  }
}

async function* readReports(db: Db, accountId: number) {
  yield* readPages((page) =>
    db.resultReport.findMany({
      ...page,
      where: { ...page.where, accountId },
      omit: { accountId: true, isUrgent: true, closedById: true, mailedAt: true },
    }),
  );
}

async function* readNotices(db: Db, accountId: number) {
  yield* readPages((page) => db.notice.findMany({ ...page, where: { ...page.where, generation: { accountId } } }));
  yield* readPages((page) => db.notice.findMany({ ...page, where: { ...page.where, batch: { accountId } } }));
}

async function* readStars(db: Db, accountId: number) {
  yield* readNumberedPages((page) =>
    db.starEntry.findMany({ ...page, where: { ...page.where, accountId }, omit: { accountId: true, causeKey: true } }),
  );
}

async function* readPayments(db: Db, accountId: number) {
  yield* readPages((page) =>
    db.payment.findMany({
      ...page,
      where: { ...page.where, accountId },
      omit: { accountId: true, refusals: true, checkedAt: true },
      include: {
        refunds: { omit: { paymentId: true, requestedById: true, idempotencyKey: true } },
      },
    }),
  );
}

async function* readInterview(db: Db, accountId: number) {
  yield* await db.interviewRequest.findMany({ where: { accountId }, omit: { accountId: true } });
}

async function* readPushDevices(db: Db, accountId: number) {
  yield* await db.pushSubscription.findMany({
    where: { accountId },
    select: { endpoint: true, userAgent: true, createdAt: true, lastSentAt: true },
  });
}

async function* readTelegram(db: Db, accountId: number) {
  yield* await db.telegramUser.findMany({ where: { accountId }, omit: { accountId: true } });
}

async function* readTelegramUpdates(db: Db, accountId: number) {
  const chatId = await findChatId(db, accountId);
  if (chatId === null) return;
  yield* readNumberedPages((page) => db.telegramUpdate.findMany({ ...page, where: { ...page.where, chatId } }));
}

/** Kept for some days only, so there are never many. */
async function* readTelegramMessages(db: Db, accountId: number) {
  const chatId = await findChatId(db, accountId);
  if (chatId !== null) yield* await db.telegramMessage.findMany({ where: { chatId }, orderBy: { createdAt: 'asc' } });
}

async function findChatId(db: Db, accountId: number): Promise<bigint | null> {
  return (await db.telegramUser.findUnique({ where: { accountId }, select: { id: true } }))?.id ?? null;
}

async function* readAnalytics(db: Db, accountId: number) {
  yield* readNumberedPages((page) =>
    db.analyticsEvent.findMany({ ...page, where: { ...page.where, accountId }, omit: { accountId: true } }),
  );
}

async function* readAudit(db: Db, accountId: number) {
  yield* readNumberedPages((page) =>
    db.auditEntry.findMany({ ...page, where: { ...page.where, accountId }, omit: { accountId: true, adminId: true } }),
  );
}

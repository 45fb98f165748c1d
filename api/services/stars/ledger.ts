import { ACCOUNT_EVENTS_CHANNEL } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { WithDb } from '#api/services/app-context.ts';
import type { StarEntryKind } from '#prisma/generated/enums.ts';
import { INTERVIEW_BONUS_STARS, SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { nameLossReturn, nameReportReturn, type PaidOutput } from './returned-stars.ts';

/** Shown to the account's owner. */
const GIFT_IS_ONCE = 'Подарок начисляется один раз: у аккаунта сайта он уже был';
const REPORT_WAS_RIGHT = 'По вашей жалобе на результат';
const FILE_IS_LOST = 'Файл результата потерян на сервере';

interface NewStarEntry {
  accountId: number;
  kind: StarEntryKind;
  /** Change of the balance, in stars. */
  delta: number;
  /** Names the cause. An entry whose cause is already in the ledger is not written again. */
  causeKey: string;
  generationId?: string;
  /** The output whose price comes back. It comes back once, whatever the cause. */
  resultPosition?: number | null;
  paymentId?: string;
  /** An administrator's words, shown to the account's owner. */
  note?: string;
}

/**
 * Writes the row, moves the balance and tells the owner's pages in one statement. It is the only way into the ledger.
 * Returns false when this cause was booked before or the generation has been settled. Throws when the balance would
 * become negative (a check of the database).
 */
async function appendEntry(tx: Tx, entry: NewStarEntry): Promise<boolean> {
  const moved = await tx.$executeRaw`
    with entry as (
      insert into star_entries (account_id, kind, delta, cause_key, generation_id, result_position, payment_id,
                                note)
      values (${entry.accountId}, ${entry.kind}::star_entry_kind, ${entry.delta}, ${entry.causeKey},
              ${entry.generationId ?? null}::uuid, ${entry.resultPosition ?? null}::int, ${entry.paymentId ?? null}::uuid,
              ${entry.note ?? null})
      on conflict do nothing
      returning account_id, delta
    ), moved as (
      update accounts set star_balance = star_balance + entry.delta
      from entry where accounts.id = entry.account_id
      returning accounts.id
    )
    select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, json_build_object('accountId', id, 'event', 'balance')::text) from moved`;
  return moved === 1;
}

/**
 * Call this before a transaction touches a generation or a payment whose stars it will settle. A start locks the
 * account and then waits for its other generations; a settlement with the opposite order would deadlock with it.
 * Returns the balance, in stars, which nobody else changes until the transaction ends; 0 for an unknown account.
 */
export async function lockBalance(tx: Tx, accountId: number): Promise<number> {
  const [account] = await tx.$queryRaw<{ balance: number }[]>`
    select star_balance as balance from accounts where id = ${accountId} for no key update`;
  return account?.balance ?? 0;
}

/** Two stars, once per account. Returns false when it already had them. */
export function grantSignupBonus(tx: Tx, accountId: number): Promise<boolean> {
  return appendEntry(tx, {
    accountId,
    kind: 'signup_bonus',
    delta: SIGNUP_BONUS_STARS,
    causeKey: `signup_bonus:${accountId}`,
  });
}

/** The stars for an interview, once per account. Returns false when it already had them. */
export function grantInterviewBonus(tx: Tx, accountId: number): Promise<boolean> {
  return appendEntry(tx, {
    accountId,
    kind: 'interview_bonus',
    delta: INTERVIEW_BONUS_STARS,
    causeKey: `interview_bonus:${accountId}`,
  });
}

/** Bought stars, once per payment. Returns false when they were booked before. */
export function creditPurchase(tx: Tx, payment: { id: string; accountId: number; stars: number }): Promise<boolean> {
  return appendEntry(tx, {
    accountId: payment.accountId,
    kind: 'purchase',
    delta: payment.stars,
    causeKey: `purchase:${payment.id}`,
    paymentId: payment.id,
  });
}

interface RefundedStars {
  refundId: string;
  paymentId: string;
  accountId: number;
  stars: number;
}

/** Takes the stars of a refund off the balance as far as they are unspent. Returns how many it took. */
export async function takeRefundedStars(tx: Tx, refund: RefundedStars): Promise<number> {
  const taken = Math.min(refund.stars, await lockBalance(tx, refund.accountId));
  if (taken === 0) return 0;
  await appendEntry(tx, {
    accountId: refund.accountId,
    kind: 'refund',
    delta: -taken,
    causeKey: `refund:${refund.refundId}`,
    paymentId: refund.paymentId,
  });
  return taken;
}

/**
 * A refund takes stars off the balance only as far as they are there. Those that were held at that moment come back
 * later: they are taken then, up to `freed`, before their owner has them. Stars that were spent after the refund are
 * not touched. Call lockBalance first.
 */
async function coverShortfall(tx: Tx, generation: Omit<HeldGeneration, 'stars'>, freed: number): Promise<void> {
  const { id, accountId } = generation;
  const open = await tx.refund.findMany({
    where: {
      status: { not: 'canceled' },
      payment: { accountId },
      starsTaken: { lt: tx.refund.fields.stars },
      createdAt: { gte: await readStart(tx, id) },
    },
    orderBy: { createdAt: 'asc' },
  });
  let left = freed;
  for (const refund of open) {
    const taken = Math.min(left, refund.stars - refund.starsTaken);
    if (taken === 0) return;
    const causeKey = `refund:${refund.id}:${id}`;
    const { paymentId } = refund;
    // Two outputs of a generation may be repaid one after the other.
    const repeated = await tx.starEntry.count({ where: { paymentId, causeKey: { startsWith: causeKey } } });
    await appendEntry(tx, {
      accountId,
      kind: 'refund',
      delta: -taken,
      paymentId,
      causeKey: repeated === 0 ? causeKey : `${causeKey}:${repeated}`,
    });
    await tx.refund.update({ where: { id: refund.id }, data: { starsTaken: { increment: taken } } });
    left -= taken;
  }
}

async function readStart(tx: Tx, id: string): Promise<Date> {
  return (await tx.generation.findUniqueOrThrow({ where: { id }, select: { createdAt: true } })).createdAt;
}

/** Returns the stars that a refused refund had taken. */
export async function returnRefundedStars(tx: Tx, refund: RefundedStars): Promise<void> {
  if (refund.stars === 0) return;
  await appendEntry(tx, {
    accountId: refund.accountId,
    kind: 'refund',
    delta: refund.stars,
    causeKey: `refund_canceled:${refund.refundId}`,
    paymentId: refund.paymentId,
  });
}

/**
 * Moves the whole balance of an account to the account that takes it over. Both are locked. Sign-up stars are given
 * once per person: if both accounts had them, unspent ones of the first are taken back, and held ones as soon as they
 * are released (takeBackFreedGift). Returns how many stars moved and how many were taken back.
 */
export async function transferStars(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<{ stars: number; takenGift: number }> {
  const gift = await countRepeatedGift(tx, fromId, intoId);
  if (gift > 0) {
    const causeKey = nameTakenGift(fromId);
    await appendEntry(tx, { accountId: fromId, kind: 'correction', delta: -gift, causeKey, note: GIFT_IS_ONCE });
  }
  const stars = await getBalance({ db: tx }, fromId);
  if (stars > 0) {
    await appendEntry(tx, { accountId: fromId, kind: 'transfer', delta: -stars, causeKey: `transfer:${fromId}:out` });
    await appendEntry(tx, { accountId: intoId, kind: 'transfer', delta: stars, causeKey: `transfer:${fromId}:in` });
  }
  return { stars, takenGift: gift };
}

/** What is left of the first account's sign-up stars, which count as spent first. 0 unless both accounts had them. */
async function countRepeatedGift(tx: Tx, fromId: number, intoId: number): Promise<number> {
  if (!(await hadGiftTwice(tx, fromId, intoId))) return 0;
  const { _sum } = await tx.starEntry.aggregate({
    where: { accountId: fromId, kind: { in: ['hold', 'capture', 'release'] } },
    _sum: { delta: true },
  });
  const unspent = Math.max(0, SIGNUP_BONUS_STARS + (_sum.delta ?? 0));
  return Math.min(unspent, await getBalance({ db: tx }, fromId));
}

async function hadGiftTwice(tx: Tx, fromId: number, intoId: number): Promise<boolean> {
  const gifts = await tx.starEntry.findMany({ where: { accountId: { in: [fromId, intoId] }, kind: 'signup_bonus' } });
  return new Set(gifts.map(({ accountId }) => accountId)).size === 2;
}

/**
 * Call this when stars of a merged account are released. If both accounts had the sign-up stars, it takes back those of
 * the first, as far as its generations have not spent them. Returns how many it took.
 */
async function takeBackFreedGift(tx: Tx, { id, accountId }: HeldGeneration, freed: number): Promise<number> {
  const hold = await tx.starEntry.findFirst({ where: { generationId: id, kind: 'hold' }, select: { accountId: true } });
  const fromId = hold?.accountId ?? accountId;
  if (fromId === accountId || !(await hadGiftTwice(tx, fromId, accountId))) return 0;
  const [{ spent }] = await tx.$queryRaw<[{ spent: number }]>`
    select coalesce(-sum(entry.delta), 0)::int as spent
    from star_entries as hold
    join star_entries as settlement
      on settlement.generation_id = hold.generation_id and settlement.kind in ('capture', 'release')
    join star_entries as entry
      on entry.generation_id = hold.generation_id and entry.kind in ('hold', 'capture', 'release')
    where hold.account_id = ${fromId} and hold.kind = 'hold'`;
  const causeKey = nameTakenGift(fromId);
  const { _sum } = await tx.starEntry.aggregate({
    where: {
      accountId: { in: [fromId, accountId] },
      OR: [{ causeKey }, { causeKey: { startsWith: `${causeKey}:` } }],
    },
    _sum: { delta: true },
  });
  const gift = Math.min(freed, SIGNUP_BONUS_STARS - spent + (_sum.delta ?? 0));
  if (gift <= 0) return 0;
  await appendEntry(tx, {
    accountId,
    kind: 'correction',
    delta: -gift,
    note: GIFT_IS_ONCE,
    causeKey: `${causeKey}:${id}`,
  });
  return gift;
}

/** Whether the stars that a failed generation released were repeated sign-up stars, and were taken back. */
export async function isFreedGiftTaken(
  app: WithDb,
  { id, accountId }: Pick<HeldGeneration, 'id' | 'accountId'>,
): Promise<boolean> {
  const hold = await app.db.starEntry.findFirst({ where: { generationId: id, kind: 'hold' } });
  if (!hold || hold.accountId === accountId) return false;
  const causeKey = nameTakenGift(hold.accountId);
  return (await app.db.starEntry.count({ where: { causeKey: { in: [causeKey, `${causeKey}:${id}`] } } })) > 0;
}

/**
 * The cause for sign-up stars taken back at the merge. Followed by a generation's id, the cause for those taken back
 * later.
 */
function nameTakenGift(fromId: number): string {
  return `gift_taken_back:${fromId}`;
}

export interface BalanceCorrection {
  accountId: number;
  /** Change of the balance, in stars, not 0. */
  delta: number;
  /** Shown to the account's owner. */
  reason: string;
  adminId: number;
  /** A repeat of the correction with this key changes nothing more. Null: no repeat is recognised. */
  idempotencyKey: string | null;
}

/**
 * Adds or removes stars by hand. `isRepeated`: this correction was booked before, and only the balance is returned.
 * Throws AppError account_not_found, correction_overdraws, idempotency_key_reused.
 */
export async function correctBalance(
  tx: Tx,
  { accountId, delta, reason, adminId, idempotencyKey }: BalanceCorrection,
): Promise<{ balance: number; isRepeated: boolean }> {
  await lockBalance(tx, accountId);
  const account = await tx.account.findUnique({ where: { id: accountId }, select: { starBalance: true } });
  if (!account) throw new AppError('account_not_found');
  const causeKey = `correction:${adminId}:${idempotencyKey ?? crypto.randomUUID()}`;
  const booked = await tx.starEntry.findUnique({ where: { causeKey } });
  if (booked) {
    const isSame = booked.accountId === accountId && booked.delta === delta && booked.note === reason;
    if (!isSame) throw new AppError('idempotency_key_reused');
    return { balance: account.starBalance, isRepeated: true };
  }
  const balance = account.starBalance + delta;
  if (balance < 0) throw new AppError('correction_overdraws');
  const isBooked = await appendEntry(tx, { accountId, kind: 'correction', delta, causeKey, note: reason });
  // Another account used the key at the same moment. Each account has its own lock.
  if (!isBooked) throw new AppError('idempotency_key_reused');
  return { balance, isRepeated: false };
}

interface HeldGeneration {
  id: string;
  accountId: number;
  /** The number of held stars. */
  stars: number;
}

/**
 * Holds the price of a generation, which leaves the balance at once. Nothing for one that is free of charge. Call
 * lockBalance first, and compare the balance that it returns.
 */
export async function holdStars(tx: Tx, { id, accountId, stars }: HeldGeneration): Promise<void> {
  if (stars === 0) return;
  await appendEntry(tx, { accountId, kind: 'hold', delta: -stars, causeKey: `hold:${id}`, generationId: id });
}

/**
 * Spends the held stars except `refund` of them, because the generation has its result or a part of it. Returns false
 * when it was settled before, or is free of charge.
 */
export function captureHold(tx: Tx, generation: HeldGeneration, refund = 0): Promise<boolean> {
  return settle(tx, generation, 'capture', refund);
}

/**
 * Releases the held stars, because the generation has no result. Returns false when it was settled before, or is free
 * of charge.
 */
export function releaseHold(tx: Tx, generation: HeldGeneration): Promise<boolean> {
  return settle(tx, generation, 'release', generation.stars);
}

async function settle(
  tx: Tx,
  generation: HeldGeneration,
  kind: 'capture' | 'release',
  freed: number,
): Promise<boolean> {
  const { id, accountId, stars } = generation;
  if (stars === 0) return false;
  const causeKey = `${kind}:${id}`;
  const isSettled = await appendEntry(tx, { accountId, kind, delta: freed, causeKey, generationId: id });
  if (isSettled && freed > 0) {
    const gift = await takeBackFreedGift(tx, generation, freed);
    await coverShortfall(tx, generation, freed - gift);
  }
  return isSettled;
}

interface ResultShare extends PaidOutput {
  accountId: number;
  /** What the result has cost, in stars. */
  share: number;
}

/**
 * Returns the price of a result, because the complaint about it was right, but never more than its generation has cost.
 * Call lockBalance first. Returns how many stars came back: none when this output was repaid before.
 */
export function returnForReport(tx: Tx, { reportId, ...result }: ResultShare & { reportId: string }): Promise<number> {
  return returnShare(tx, result, { causeKey: nameReportReturn(reportId), note: REPORT_WAS_RIGHT });
}

/**
 * Returns the price of a result, because its file is lost, once and never more than its generation has cost. Call
 * lockBalance first. Returns how many stars came back.
 */
export function returnForLoss(tx: Tx, { resultId, ...result }: ResultShare & { resultId: string }): Promise<number> {
  return returnShare(tx, result, { causeKey: nameLossReturn(resultId), note: FILE_IS_LOST });
}

async function returnShare(
  tx: Tx,
  { accountId, generationId, position, share }: ResultShare,
  why: Pick<NewStarEntry, 'causeKey' | 'note'>,
): Promise<number> {
  const stars = Math.min(share, await getStarsSpent({ db: tx }, generationId));
  if (stars <= 0) return 0;
  const isBooked = await appendEntry(tx, {
    accountId,
    kind: 'correction',
    delta: stars,
    generationId,
    resultPosition: position,
    ...why,
  });
  if (!isBooked) return 0;
  await coverShortfall(tx, { id: generationId, accountId }, stars);
  return stars;
}

/** Stars that a generation has cost so far. Held stars count, returned ones do not. */
export async function getStarsSpent(app: { db: Pick<Tx, 'starEntry'> }, generationId: string): Promise<number> {
  const { _sum } = await app.db.starEntry.aggregate({ where: { generationId }, _sum: { delta: true } });
  return 0 - (_sum.delta ?? 0);
}

/** Stars that can be spent now. */
export async function getBalance(app: { db: Pick<Tx, 'account'> }, accountId: number): Promise<number> {
  const { starBalance } = await app.db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { starBalance: true },
  });
  return starBalance;
}

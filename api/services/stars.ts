import type { AppContext } from '#api/app-context.ts';
import type { Tx } from '#api/db.ts';
import type { StarEntryKind } from '#prisma/generated/enums.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';

interface NewStarEntry {
  accountId: number;
  kind: StarEntryKind;
  /** Change of the balance, in stars. */
  delta: number;
  /** Names the cause once and for all; an entry whose cause is already in the ledger is not written again. */
  causeKey: string;
  generationId?: string;
}

/**
 * The only way into the ledger, but for the hold that starts a generation (start-generation-statement.ts): writes the
 * row and moves the balance in one statement. Returns false when this cause has been booked before, or when the
 * generation has been settled. Throws when the balance would become negative (a check of the database).
 */
async function appendEntry(tx: Tx, entry: NewStarEntry): Promise<boolean> {
  const updated = await tx.$executeRaw`
    with entry as (
      insert into star_entries (account_id, kind, delta, cause_key, generation_id)
      values (${entry.accountId}, ${entry.kind}::star_entry_kind, ${entry.delta}, ${entry.causeKey},
              ${entry.generationId ?? null}::uuid)
      on conflict do nothing
      returning account_id, delta
    )
    update accounts set star_balance = star_balance + entry.delta
    from entry where accounts.id = entry.account_id`;
  return updated === 1;
}

/**
 * To be called before a transaction touches a generation whose stars it will settle. A start locks the account and then
 * waits for the account's other generations; a settlement that took them in the other order would deadlock with it.
 */
export async function lockBalance(tx: Tx, accountId: number): Promise<void> {
  await tx.$executeRaw`select from accounts where id = ${accountId} for no key update`;
}

/** Two stars, once for each account. Returns false when it had them already. */
export function grantSignupBonus(tx: Tx, accountId: number): Promise<boolean> {
  return appendEntry(tx, {
    accountId,
    kind: 'signup_bonus',
    delta: SIGNUP_BONUS_STARS,
    causeKey: `signup_bonus:${accountId}`,
  });
}

interface HeldGeneration {
  id: string;
  accountId: number;
  /** What the hold took. */
  stars: number;
}

/**
 * The held stars are spent, but for `refund` of them: the generation has its result, or a part of it. Returns false when
 * it was settled before.
 */
export function captureHold(tx: Tx, generation: HeldGeneration, refund = 0): Promise<boolean> {
  return appendEntry(tx, {
    accountId: generation.accountId,
    kind: 'capture',
    delta: refund,
    causeKey: `capture:${generation.id}`,
    generationId: generation.id,
  });
}

/** The held stars go back: the generation has no result. Returns false when it was settled before. */
export function releaseHold(tx: Tx, generation: HeldGeneration): Promise<boolean> {
  return appendEntry(tx, {
    accountId: generation.accountId,
    kind: 'release',
    delta: generation.stars,
    causeKey: `release:${generation.id}`,
    generationId: generation.id,
  });
}

/** Stars that a generation has cost so far: what is held counts, what came back does not. */
export async function getStarsSpent(app: Pick<AppContext, 'db'>, generationId: string): Promise<number> {
  const { _sum } = await app.db.starEntry.aggregate({ where: { generationId }, _sum: { delta: true } });
  return 0 - (_sum.delta ?? 0);
}

/** Stars that can be spent now. */
export async function getBalance(app: Pick<AppContext, 'db'>, accountId: number): Promise<number> {
  const { starBalance } = await app.db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { starBalance: true },
  });
  return starBalance;
}

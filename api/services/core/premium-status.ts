import type { PaymentProvider } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { Prisma } from '#prisma/generated/client.ts';

export interface PremiumStatus {
  isPremium: boolean;
  hasSuccessfulTransactions: boolean;
  transactionCount: number;
}

export interface PremiumSources {
  db: AppContext['db'];
  payments: { offered: readonly Pick<PaymentProvider, 'name' | 'isTest'>[] };
}

/**
 * Providers whose test payments count like real ones: if a shop is a test shop now, every buyer pays nothing anyway.
 * Those of a shop that has become real, or is no longer offered, do not count.
 */
function listCountedTests({ payments }: Pick<PremiumSources, 'payments'>): string[] {
  return payments.offered.filter(({ isTest }) => isTest).map(({ name }) => name);
}

/** Matches payments that make their account premium for life: successful and not refunded in full. */
export function matchPremiumPayments(app: PremiumSources): Prisma.PaymentWhereInput {
  return {
    status: 'succeeded',
    refundedMinor: { lt: app.db.payment.fields.amountMinor },
    OR: [{ isTest: false }, { provider: { in: listCountedTests(app) } }],
  };
}

/** The number of those payments, in SQL. `account` is the account's row. */
export function countPremiumPayments(app: Pick<PremiumSources, 'payments'>): Prisma.Sql {
  return Prisma.sql`(
    select count(*) from payments
    where account_id = account.id and status = 'succeeded' and refunded_minor < amount_minor
      and ${isCountedPayment(app)}
  )::int`;
}

/** Whether a row of `payments` counts: no test, or one of a provider whose tests do. In SQL. */
export function isCountedPayment(app: Pick<PremiumSources, 'payments'>): Prisma.Sql {
  return Prisma.sql`(not is_test or provider = any(${listCountedTests(app)}))`;
}

export async function getPremiumStatus(app: PremiumSources, accountId: number): Promise<PremiumStatus> {
  const transactionCount = await app.db.payment.count({ where: { ...matchPremiumPayments(app), accountId } });
  return presentPremium(transactionCount);
}

export function presentPremium(transactionCount: number): PremiumStatus {
  const isPremium = transactionCount > 0;
  return { isPremium, hasSuccessfulTransactions: isPremium, transactionCount };
}

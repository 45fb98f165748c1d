import type { AppContext } from '#api/services/app-context.ts';
import type { Prisma } from '#prisma/generated/client.ts';

export interface PremiumStatus {
  isPremium: boolean;
  hasSuccessfulTransactions: boolean;
  transactionCount: number;
}

/** What the premium status depends on. */
export interface PremiumSources {
  db: AppContext['db'];
  payments: Pick<AppContext['payments'], 'isTest'>;
}

/**
 * Payments that make their account premium, for life: successful, and not refunded in full. Tests, in which no money
 * moved, count only where payments are tests by the present settings.
 */
export function matchPremiumPayments(app: PremiumSources): Prisma.PaymentWhereInput {
  return {
    status: 'succeeded',
    refundedMinor: { lt: app.db.payment.fields.amountMinor },
    ...(app.payments.isTest ? {} : { isTest: false }),
  };
}

/** Premium for life: at least one payment that counts. */
export async function getPremiumStatus(app: PremiumSources, accountId: number): Promise<PremiumStatus> {
  const transactionCount = await app.db.payment.count({ where: { ...matchPremiumPayments(app), accountId } });
  const isPremium = transactionCount > 0;
  return { isPremium, hasSuccessfulTransactions: isPremium, transactionCount };
}

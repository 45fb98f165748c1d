import type { PaymentProvider } from '#api/adapters/payments/payment-provider.ts';
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
  payments: { offered: readonly Pick<PaymentProvider, 'name' | 'isTest'>[] };
}

/**
 * Providers whose tests, in which no money moved, count like payments. Each decides for its own: whoever could buy with it
 * at this moment would pay nothing either. Tests of a shop that has become a real one, or that is offered no more, count
 * nowhere, whatever stands beside it.
 */
export function listCountedTests({ payments }: Pick<PremiumSources, 'payments'>): string[] {
  return payments.offered.filter(({ isTest }) => isTest).map(({ name }) => name);
}

/** Payments that make their account premium, for life: successful, and not refunded in full. */
export function matchPremiumPayments(app: PremiumSources): Prisma.PaymentWhereInput {
  return {
    status: 'succeeded',
    refundedMinor: { lt: app.db.payment.fields.amountMinor },
    OR: [{ isTest: false }, { provider: { in: listCountedTests(app) } }],
  };
}

/** Premium for life: at least one payment that counts. */
export async function getPremiumStatus(app: PremiumSources, accountId: number): Promise<PremiumStatus> {
  const transactionCount = await app.db.payment.count({ where: { ...matchPremiumPayments(app), accountId } });
  const isPremium = transactionCount > 0;
  return { isPremium, hasSuccessfulTransactions: isPremium, transactionCount };
}

import type { Db, Tx } from '#api/db.ts';

export interface PremiumStatus {
  isPremium: boolean;
  hasSuccessfulTransactions: boolean;
  transactionCount: number;
}

/** Premium for life: at least one successful payment that was not refunded in full. */
export async function getPremiumStatus(db: Db | Tx, accountId: number): Promise<PremiumStatus> {
  const transactionCount = await db.payment.count({
    where: { accountId, status: 'succeeded', refundedKopecks: { lt: db.payment.fields.amountKopecks } },
  });
  const isPremium = transactionCount > 0;
  return { isPremium, hasSuccessfulTransactions: isPremium, transactionCount };
}

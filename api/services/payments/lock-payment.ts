import type { Tx } from '#api/database/database.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Payment } from '#prisma/generated/client.ts';

/**
 * Locks the balance of a payment's account and reads the payment. Its account may have been merged into another one since
 * it was read. A merge locks both accounts, so it has either finished or not begun.
 */
export async function lockPayment(tx: Tx, known: Pick<Payment, 'id' | 'accountId'>): Promise<Payment> {
  await lockBalance(tx, known.accountId);
  const payment = await tx.payment.findUniqueOrThrow({ where: { id: known.id } });
  if (payment.accountId !== known.accountId) await lockBalance(tx, payment.accountId);
  return payment;
}

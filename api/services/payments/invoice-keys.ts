import type { Tx } from '#api/db.ts';
import type { Payment } from '#prisma/generated/client.ts';

/** The invoice that a request with this Idempotency-Key was answered with; null for a key that is new to the account. */
export async function findByKey(
  db: Pick<Tx, 'payment'>,
  accountId: number,
  key: string | null,
): Promise<Payment | null> {
  if (key === null) return null;
  return db.payment.findFirst({ where: { accountId, keys: { some: { key } } } });
}

import { randomInt } from 'node:crypto';

const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
/** Two letters or digits after a letter, so that it is no number of an attempt. */
const FRESH = { radix: 36, from: 10 * 36 ** 2, below: 36 ** 3 };

interface Order {
  paymentId: string;
  attempt: number;
}

/**
 * T-Bank's order ids have at most 36 characters and are unique for each operation. The first attempt of a payment is its
 * own id, which buyers find on their receipts; a later one has the same digits and its number: `6f9c…-2`.
 */
export function buildOrderId({ paymentId, attempt }: Order): string {
  return attempt === 0 ? paymentId : appendTo(paymentId, String(attempt));
}

/** One that was not used before. */
export function buildFreshOrderId({ paymentId }: Pick<Order, 'paymentId'>): string {
  return appendTo(paymentId, randomInt(FRESH.from, FRESH.below).toString(FRESH.radix));
}

function appendTo(paymentId: string, suffix: string): string {
  return `${paymentId.replaceAll('-', '')}-${suffix}`;
}

/** The id of our payment in an order id; null for one that is not ours. */
export function readOrderId(orderId: string): string | null {
  const digits = /^([0-9a-f]{32})-[0-9a-z]{1,3}$/.exec(orderId)?.[1];
  if (digits) return digits.replace(UUID_PARTS, '$1-$2-$3-$4-$5');
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(orderId) ? orderId : null;
}

import { createHash, randomInt } from 'node:crypto';
import type { ReceiptSettings } from '#api/adapters/payments/payment-provider.ts';
import { isSameSecret } from '#api/platform/same-secret.ts';

/**
 * A message from or to T-Bank. Its numbers are kept as text, because an id may have more digits than a number can hold.
 */
export type Message = Record<string, unknown>;

/** Null for anything but a JSON object. */
export function parseMessage(text: string): Message | null {
  // Node passes the source text of a number to the reviver. TypeScript does not declare it yet.
  const keepNumbers = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  try {
    const parsed: unknown = JSON.parse(text, keepNumbers);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Message) : null;
  } catch {
    return null;
  }
}

/**
 * The signature of a message: SHA-256 of its values and the password, sorted by name. Nested values (Receipt, DATA),
 * nulls and the signature itself are left out.
 */
export function signMessage(message: Message, password: string): string {
  const values = Object.entries({ ...message, Password: password })
    .filter(([name, value]) => name !== 'Token' && value !== null && value !== undefined && typeof value !== 'object')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => String(value));
  return createHash('sha256').update(values.join('')).digest('hex');
}

export function isSigned(message: Message, password: string): boolean {
  return isSameSecret(String(message.Token), signMessage(message, password));
}

const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
/** Three characters that start with a letter, so that they are no number of an attempt. */
const FRESH = { radix: 36, from: 10 * 36 ** 2, below: 36 ** 3 };

interface Order {
  paymentId: string;
  attempt: number;
}

/**
 * Builds T-Bank's order id, which has at most 36 characters and is unique for each operation. The first attempt uses
 * the payment's own id, which buyers find on their receipts. Later ones use its digits and their number: `6f9c…-2`.
 */
export function buildOrderId({ paymentId, attempt }: Order): string {
  return attempt === 0 ? paymentId : appendTo(paymentId, String(attempt));
}

/** An order id that was never used. */
export function buildFreshOrderId({ paymentId }: Pick<Order, 'paymentId'>): string {
  return appendTo(paymentId, randomInt(FRESH.from, FRESH.below).toString(FRESH.radix));
}

function appendTo(paymentId: string, suffix: string): string {
  return `${paymentId.replaceAll('-', '')}-${suffix}`;
}

/** Our payment's id, read from an order id. Null for an order id that is not ours. */
export function readOrderId(orderId: string): string | null {
  const digits = /^([0-9a-f]{32})-[0-9a-z]{1,3}$/.exec(orderId)?.[1];
  if (digits) return digits.replace(UUID_PARTS, '$1-$2-$3-$4-$5');
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(orderId) ? orderId : null;
}

/** T-Bank's terms for YooKassa's codes, which the settings use. */
const TAXES: Record<number, string> = {
  1: 'none',
  2: 'vat0',
  3: 'vat10',
  4: 'vat20',
  5: 'vat110',
  6: 'vat120',
  7: 'vat5',
  8: 'vat7',
  9: 'vat105',
  10: 'vat107',
  11: 'vat22',
  12: 'vat122',
};
const TAXATIONS: Record<number, string> = {
  1: 'osn',
  2: 'usn_income',
  3: 'usn_income_outcome',
  5: 'esn',
  6: 'patent',
};

interface Sale {
  receiptItem: string;
  buyerEmail: string | null;
  amountMinor: number;
}

/** Of 54-ФЗ, in format 1.2. */
export function buildReceipt({ receiptItem, buyerEmail, amountMinor }: Sale, settings: ReceiptSettings) {
  return {
    FfdVersion: '1.2',
    ...(buyerEmail === null ? {} : { Email: buyerEmail }),
    Taxation: settings.taxSystem && TAXATIONS[settings.taxSystem],
    Items: [
      {
        Name: receiptItem,
        Price: amountMinor,
        Quantity: 1,
        Amount: amountMinor,
        Tax: TAXES[settings.vatCode],
        PaymentMethod: settings.mode,
        PaymentObject: settings.subject,
        MeasurementUnit: 'шт',
      },
    ],
  };
}

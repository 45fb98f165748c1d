import { ApiError } from '#pwa/client/api-error.ts';
import { isUncertain } from '#pwa/client/start-intent.ts';
import { formatRubles } from '#pwa/format.ts';
import { type AdminPayment, correctStars, refundPayment } from '#shared/contract/administration.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { countRefundedStars } from '#shared/rules/refunded-stars.ts';

/** Parses an amount as people type it: «490», «1 990,50». Null when it is not one. */
export function parseRoubles(text: string): number | null {
  const normal = text.replace(/[\s\u00a0₽]/g, '').replace(',', '.');
  return /^\d{1,9}(\.\d{1,2})?$/.test(normal) ? Number(normal) : null;
}

interface ReadRefund {
  faults: { amount?: string; reason?: string };
  /** Null when something is wrong. */
  body: { reason: string; amountRub: number } | null;
}

/** Reads the refund form: the request body, or what is wrong with it. */
export function readRefundForm(typed: { amount: string; reason: string }, remainingRub: number): ReadRefund {
  const faults: ReadRefund['faults'] = {};
  const amountRub = parseRoubles(typed.amount);
  const isFitting = amountRub !== null && amountRub > 0 && amountRub <= remainingRub;
  if (!isFitting) faults.amount = `Укажите сумму до ${formatRubles(remainingRub)}`;
  const reason = refundPayment.body.shape.reason.safeParse(typed.reason);
  if (!reason.success) faults.reason = reason.error.issues[0]?.message ?? 'Укажите причину';
  return { faults, body: isFitting && reason.success ? { reason: reason.data, amountRub } : null };
}

/** The roubles of a payment that are neither refunded nor being refunded. */
export function getRefundableRub({ amountRub, refunds }: AdminPayment): number {
  return Math.round((amountRub - sumRefunds(refunds, 'amountRub')) * 100) / 100;
}

/** How many more stars a refund of this amount takes, given the earlier refunds of the payment. */
export function countBoughtStars({ amountRub, stars, refunds }: AdminPayment, refundRub: number): number {
  const refundedMinor = Math.round((sumRefunds(refunds, 'amountRub') + refundRub) * 100);
  const bought = countRefundedStars({ stars, amountMinor: Math.round(amountRub * 100) }, refundedMinor);
  return Math.max(0, bought - sumRefunds(refunds, 'stars'));
}

/**
 * Whether this refund is settled, so that the next try is a new one: it was never started, or the provider has refused
 * it for good.
 */
export function isRefundDecided(error: Error): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code === 'refund_failed' || !isUncertain(error.status);
}

function sumRefunds(refunds: AdminPayment['refunds'], field: 'amountRub' | 'stars'): number {
  return refunds.filter(({ status }) => status !== 'canceled').reduce((sum, refund) => sum + refund[field], 0);
}

interface ReadCorrection {
  faults: { delta?: string; reason?: string };
  /** Null when something is wrong. */
  body: { delta: number; reason: string } | null;
}

/** Reads the correction form: the request body, or what is wrong with it. Every dash counts as a minus. */
export function readCorrectionForm(typed: { delta: string; reason: string }, balance: number): ReadCorrection {
  const text = typed.delta.replace(/\s/g, '').replace(/[−–—]/, '-');
  const delta = /^[+-]?\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  const parsed = correctStars.body.safeParse({ delta, reason: typed.reason });
  const faults: ReadCorrection['faults'] = {};
  for (const { path, message } of parsed.error?.issues ?? []) {
    if (path[0] === 'delta') faults.delta ??= 'Целое число, например +5 или −5';
    if (path[0] === 'reason') faults.reason ??= message;
  }
  if (!faults.delta && balance + delta < 0) faults.delta = `На балансе только ${countStars(balance)}`;
  return { faults, body: parsed.success && !faults.delta ? parsed.data : null };
}

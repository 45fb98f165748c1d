import { ApiError } from '#pwa/lib/api-error.ts';
import { formatRubles } from '#pwa/lib/format.ts';
import { isUncertain } from '#pwa/lib/start-intent.ts';
import { type AdminPayment, correctStars, refundPayment } from '#shared/contract/administration.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { countRefundedStars } from '#shared/rules/refunded-stars.ts';

/** An amount as people type it: «490», «1 990,50»; null when it is none. */
export function parseRoubles(text: string): number | null {
  const normal = text.replace(/[\s\u00a0₽]/g, '').replace(',', '.');
  return /^\d{1,9}(\.\d{1,2})?$/.test(normal) ? Number(normal) : null;
}

interface ReadRefund {
  faults: { amount?: string; reason?: string };
  /** Null when something is wrong. */
  body: { reason: string; amountRub: number } | null;
}

/** The refund that was typed, or what is wrong with it. */
export function readRefundForm(typed: { amount: string; reason: string }, remainingRub: number): ReadRefund {
  const faults: ReadRefund['faults'] = {};
  const amountRub = parseRoubles(typed.amount);
  const isFitting = amountRub !== null && amountRub > 0 && amountRub <= remainingRub;
  if (!isFitting) faults.amount = `Укажите сумму до ${formatRubles(remainingRub)}`;
  const reason = refundPayment.body.shape.reason.safeParse(typed.reason);
  if (!reason.success) faults.reason = reason.error.issues[0]?.message ?? 'Укажите причину';
  return { faults, body: isFitting && reason.success ? { reason: reason.data, amountRub } : null };
}

/** Roubles of a payment that have not gone back and are not on their way back. */
export function getRefundableRub({ amountRub, refunds }: AdminPayment): number {
  return Math.round((amountRub - sumRefunds(refunds, 'amountRub')) * 100) / 100;
}

/** Stars that a refund of so much would take, over all refunds of the payment. */
export function countBoughtStars({ amountRub, stars, refunds }: AdminPayment, refundRub: number): number {
  const refundedMinor = Math.round((sumRefunds(refunds, 'amountRub') + refundRub) * 100);
  const bought = countRefundedStars({ stars, amountMinor: Math.round(amountRub * 100) }, refundedMinor);
  return Math.max(0, bought - sumRefunds(refunds, 'stars'));
}

/** Whether the next try is another refund: this one was never begun, or the provider has refused it for good. */
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

/** The correction that was typed, or what is wrong with it. Every dash counts as a minus. */
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

import { correctStars } from '#shared/contract/administration.ts';
import { countStars } from '#shared/rules/plurals.ts';

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

import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';

export interface StartConditions {
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isEmailVerified: boolean;
  isOnline: boolean;
}

export type StartReadiness =
  /** `remaining` stars after this change; null while the balance is unknown. */
  | { state: 'ready'; remaining: number | null }
  | { state: 'offline' | 'email_not_verified' | 'not_enough_stars'; reason: string };

/** Whether a change of model can be started now, and if not, what the button says instead. */
export function judgeStart({ balance, isEmailVerified, isOnline }: StartConditions): StartReadiness {
  if (!isOnline) return { state: 'offline', reason: 'Нет сети' };
  if (!isEmailVerified) return { state: 'email_not_verified', reason: 'Сначала подтвердите email' };
  if (balance !== null && balance < MODEL_CHANGE_PRICE) {
    return { state: 'not_enough_stars', reason: 'Недостаточно звезд' };
  }
  return { state: 'ready', remaining: balance === null ? null : balance - MODEL_CHANGE_PRICE };
}

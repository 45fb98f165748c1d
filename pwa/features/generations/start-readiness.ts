import { ApiError } from '#pwa/lib/api-error.ts';

export interface StartConditions {
  /** In stars. */
  price: number;
  hasPhoto: boolean;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isEmailVerified: boolean;
  isOnline: boolean;
}

export type StartReadiness =
  /** `remaining` stars after this generation; null while the balance is unknown. */
  | { state: 'ready'; price: number; remaining: number | null }
  | { state: 'photo_missing' | 'offline' | 'email_not_verified' | 'not_enough_stars'; price: number; reason: string };

/** Whether a generation can be started now; if not, the reason that its button shows. */
export function checkStartReadiness({
  price,
  hasPhoto,
  balance,
  isEmailVerified,
  isOnline,
}: StartConditions): StartReadiness {
  if (!hasPhoto) return { state: 'photo_missing', price, reason: 'Сначала загрузите фото' };
  if (!isOnline) return { state: 'offline', price, reason: 'Нет сети' };
  if (!isEmailVerified) return { state: 'email_not_verified', price, reason: 'Сначала подтвердите email' };
  if (balance !== null && balance < price) return { state: 'not_enough_stars', price, reason: 'Недостаточно звезд' };
  return { state: 'ready', price, remaining: balance === null ? null : balance - price };
}

/**
 * Whether a start was refused because of missing stars: by the error code, or by the text of a server that sends no
 * code.
 */
export function isShortOfStars(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code ? error.code === 'not_enough_stars' : /недостаточно зв[её]зд/i.test(error.serverMessage ?? '');
}

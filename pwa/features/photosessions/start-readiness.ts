import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

export interface StartConditions {
  hasPhoto: boolean;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isEmailVerified: boolean;
  isOnline: boolean;
}

export type StartReadiness =
  | { state: 'ready' }
  | { state: 'photo_missing' | 'offline' | 'email_not_verified' | 'not_enough_stars'; reason: string };

/** Whether a session can be started now, and if not, why. */
export function judgeStart({ hasPhoto, balance, isEmailVerified, isOnline }: StartConditions): StartReadiness {
  if (!hasPhoto) return { state: 'photo_missing', reason: 'Сначала загрузите фото' };
  if (!isOnline) return { state: 'offline', reason: 'Нет сети' };
  if (!isEmailVerified) return { state: 'email_not_verified', reason: 'Сначала подтвердите email' };
  if (balance !== null && balance < PHOTOSESSION_PRICE) {
    return { state: 'not_enough_stars', reason: PHOTOSESSION_TEXTS.notEnoughStars };
  }
  return { state: 'ready' };
}

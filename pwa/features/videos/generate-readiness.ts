import { videoPrice } from '#shared/rules/prices.ts';
import type { VideoForm } from './video-form.ts';

export interface GenerateConditions {
  hasPhoto: boolean;
  form: VideoForm;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isEmailVerified: boolean;
  isOnline: boolean;
}

export type GenerateReadiness =
  /** `remaining` stars after this video; null while the balance is unknown. */
  | { state: 'ready'; price: number; remaining: number | null }
  | { state: 'photo_missing' | 'offline' | 'email_not_verified' | 'not_enough_stars'; price: number; reason: string };

/** Whether a video can be started now, and if not, what the button says instead. */
export function judgeReadiness(conditions: GenerateConditions): GenerateReadiness {
  const { hasPhoto, form, balance, isEmailVerified, isOnline } = conditions;
  const price = videoPrice(form.duration);
  if (!hasPhoto) return { state: 'photo_missing', price, reason: 'Сначала загрузите фото' };
  if (!isOnline) return { state: 'offline', price, reason: 'Нет сети' };
  if (!isEmailVerified) return { state: 'email_not_verified', price, reason: 'Сначала подтвердите email' };
  if (balance !== null && balance < price) return { state: 'not_enough_stars', price, reason: 'Недостаточно звезд' };
  return { state: 'ready', price, remaining: balance === null ? null : balance - price };
}

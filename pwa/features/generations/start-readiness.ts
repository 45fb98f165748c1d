import { ApiError } from '#pwa/client/api-error.ts';
import { nb } from '#pwa/format.ts';
import type { ToolObstacle } from '#shared/contract/tools.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';

export interface StartConditions {
  price: number;
  hasPhoto: boolean;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  /** Stars that what waits in line will cost. They count only for what is put behind it. */
  promisedStars: number;
  isEmailVerified: boolean;
  isOnline: boolean;
  /** Why the tool takes no orders now. */
  obstacle: ToolObstacle | null;
}

export type StartReadiness =
  /** `remaining` stars after this generation; null while the balance is unknown. */
  | { state: 'ready'; price: number; remaining: number | null }
  | { state: 'obstacle' | 'photo_missing' | 'offline' | 'email_not_verified'; price: number; reason: string }
  /** `needed`: stars that have to be on the balance. */
  | { state: 'not_enough_stars'; price: number; reason: string; needed: number };

const OBSTACLE_LABELS: Record<ToolObstacle['code'], string> = {
  tool_not_offered: 'Инструмент не предлагается',
  engine_maintenance: 'Инструмент на обслуживании',
  engine_failing: 'Сервис генерации недоступен',
  engine_budget_reached: 'Генерации на сегодня закончились',
  engine_free_runs_reached: 'Бесплатные генерации закончились',
  engine_share_reached: 'Ваш лимит на сегодня исчерпан',
  engine_refusals_reached: 'Новые заказы пока не принимаются',
};

/** Whether a generation can be started now; if not, the reason that its button shows. */
export function checkStartReadiness({
  price,
  hasPhoto,
  balance,
  promisedStars,
  isEmailVerified,
  isOnline,
  obstacle,
}: StartConditions): StartReadiness {
  // Without a network the obstacle may be over.
  if (obstacle && isOnline) return { state: 'obstacle', price, reason: OBSTACLE_LABELS[obstacle.code] };
  if (!hasPhoto) return { state: 'photo_missing', price, reason: 'Сначала загрузите фото' };
  if (!isOnline) return { state: 'offline', price, reason: 'Нет сети' };
  if (!isEmailVerified) return { state: 'email_not_verified', price, reason: 'Сначала подтвердите email' };
  const needed = promisedStars + price;
  if (balance !== null && balance < needed)
    return { state: 'not_enough_stars', price, reason: 'Недостаточно звезд', needed };
  return { state: 'ready', price, remaining: balance === null ? null : balance - needed };
}

/** «Нужно 2 звезды, на балансе 1». */
export function explainShortage({ price, needed }: { price: number; needed: number }, balance: number | null): string {
  const demand =
    needed > price
      ? `Вместе с очередью ${pluralize(needed, ['нужна', 'нужно', 'нужно'])}`
      : pluralize(needed, ['Нужна', 'Нужно', 'Нужно']);
  return nb(`${demand} ${countStars(needed)}, на балансе ${balance ?? 0}.`);
}

/** Whether there is nothing to press, so that the action need not stay in sight. */
export function isIdle({ state }: StartReadiness): boolean {
  return state === 'photo_missing' || state === 'obstacle';
}

/**
 * Whether a start was refused because of missing stars: by the error code, or by the text of a server that sends no
 * code.
 */
export function isShortOfStars(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code ? error.code === 'not_enough_stars' : /недостаточно зв[её]зд/i.test(error.serverMessage ?? '');
}

/**
 * Whether a start was refused because a chosen photo is not on the server any more, so that it has to be chosen again.
 */
export function isPhotoGone(code: string | null): boolean {
  return code === 'photo_not_found' || code === 'photo_forbidden' || code === 'file_lost';
}

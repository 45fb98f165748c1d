import { ApiError } from '#pwa/client/api-error.ts';
import type { ToolObstacle } from '#shared/contract/tools.ts';

export interface StartConditions {
  price: number;
  hasPhoto: boolean;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isEmailVerified: boolean;
  isOnline: boolean;
  /** Why the tool takes no orders now. */
  obstacle: ToolObstacle | null;
}

export type StartReadiness =
  /** `remaining` stars after this generation; null while the balance is unknown. */
  | { state: 'ready'; price: number; remaining: number | null }
  | {
      state: 'obstacle' | 'photo_missing' | 'offline' | 'email_not_verified' | 'not_enough_stars';
      price: number;
      reason: string;
    };

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
  isEmailVerified,
  isOnline,
  obstacle,
}: StartConditions): StartReadiness {
  // Without a network the obstacle may be over.
  if (obstacle && isOnline) return { state: 'obstacle', price, reason: OBSTACLE_LABELS[obstacle.code] };
  if (!hasPhoto) return { state: 'photo_missing', price, reason: 'Сначала загрузите фото' };
  if (!isOnline) return { state: 'offline', price, reason: 'Нет сети' };
  if (!isEmailVerified) return { state: 'email_not_verified', price, reason: 'Сначала подтвердите email' };
  if (balance !== null && balance < price) return { state: 'not_enough_stars', price, reason: 'Недостаточно звезд' };
  return { state: 'ready', price, remaining: balance === null ? null : balance - price };
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

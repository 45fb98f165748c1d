import type { GarmentDrift } from '#shared/contract/garment-checks.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** Words about the comparison of a result's garment with the photo. */
export const GARMENT_TEXTS = {
  pending: 'Сверяем вещь с фото…',
  kept: 'Сверили с фото: заметных изменений цвета и принта нет',
  notComparable: 'Не удалось сравнить вещь с фото: посмотрите сами',
  notAllComparable: 'Часть кадров не удалось сравнить с фото: посмотрите сами',
  othersPending: 'Остальные кадры ещё сверяем…',
  photoGone: 'Исходное фото удалено',
  check: 'Проверьте вещь',
  sourceCrop: 'На вашем фото',
  resultCrop: 'На результате',
  reroll: 'Переделать бесплатно',
  rerolling: 'Запускаем…',
  rerollHint: 'Сделаем ещё раз по тому же фото. Звёзды не спишутся, этот результат останется.',
  rerollStarted: 'Переделываем бесплатно',
  rerollStartedHint: 'Звёзды не списываются',
  rerollFailed: 'Не удалось начать переделку',
  rerollFailedHint: 'Попробуйте ещё раз: вторая переделка не начнётся',
  rerollUsed: 'Бесплатная переделка использована.',
  openReroll: 'Открыть её',
  isReroll: 'Это бесплатная переделка.',
  openSource: 'Открыть прежний результат',
  freeWait: 'Бесплатная переделка: звёзды не списываются.',
  free: 'Бесплатная переделка',
} as const;

/** «Проверьте цвет и принт» */
export function titleDrift(drifts: readonly GarmentDrift[]): string {
  if (drifts.length > 1) return 'Проверьте цвет и принт';
  return drifts[0] === 'colour' ? 'Проверьте цвет' : 'Проверьте принт';
}

export function describeDrift(drifts: readonly GarmentDrift[]): string {
  if (drifts.length > 1) return 'Цвет вещи и её принт, надписи или детали отличаются от вашего фото.';
  return drifts[0] === 'colour'
    ? 'Цвет вещи отличается от вашего фото.'
    : 'Принт, надписи или детали вещи отличаются от вашего фото.';
}

/** Says how many frames of a photo session are made again. */
export function describeFrameReroll(count: number): string {
  const frames = pluralize(count, ['этот кадр', 'эти кадры', 'эти кадры']);
  return `Сделаем ещё раз только ${frames} по тому же фото. Звёзды не спишутся, прежние кадры останутся.`;
}

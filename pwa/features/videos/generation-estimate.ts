import { LATE_TEXT } from '#pwa/features/generations/waiting-time.ts';
import { nb } from '#pwa/lib/format.ts';
import { type GenerationStatus, isSaving, POLL_INTERVAL_MS } from '#shared/rules/generation-lifecycle.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** What the server knows of its own speed. */
export interface VideoEngine {
  isGenerative: boolean;
  expectedSeconds: number | null;
}

export const STAGE_TITLES: Record<GenerationStatus, string> = {
  pending: 'Готовим фото',
  processing: 'Кроим сцену',
  generating: 'Шьём движение',
  completed: 'Видео готово!',
  failed: 'Видео не получилось',
};

/** How long it will take, said from the median of recent runs; without any, from the kind of the engine. */
export function describeExpectedTime({ isGenerative, expectedSeconds }: VideoEngine): string {
  if (expectedSeconds === null) return isGenerative ? nb('Обычно 5–10 минут') : 'Обычно меньше минуты';
  if (expectedSeconds < 55) {
    const seconds = Math.max(5, Math.ceil(expectedSeconds / 5) * 5);
    return nb(`Обычно около ${seconds} ${pluralize(seconds, ['секунды', 'секунд', 'секунд'])}`);
  }
  const minutes = Math.max(1, Math.round(expectedSeconds / 60));
  return minutes === 1
    ? 'Обычно около минуты'
    : nb(`Обычно около ${minutes} ${pluralize(minutes, ['минуты', 'минут', 'минут'])}`);
}

/** How far the engine is: «42 %», then «Сохраняем видео» instead of a percentage that stands still. Null: unknown. */
export function describeShare(share: number | null): string | null {
  if (share === null || share === 0) return null;
  return isSaving(share) ? 'Сохраняем видео' : `${Math.round(share * 100)}\u00a0%`;
}

/** The waiting line of the overlay: the estimate, or the truth once it has passed and a poll has come since. */
export function describeWait(engine: VideoEngine, elapsedSeconds: number): string {
  const isLate = engine.expectedSeconds !== null && elapsedSeconds > engine.expectedSeconds + POLL_INTERVAL_MS / 1000;
  return isLate ? LATE_TEXT : describeExpectedTime(engine);
}

/** «Останется 1 звезда», «Останутся 2 звезды», «Останется 5 звёзд». */
export function describeRemainingStars(stars: number): string {
  const verb = pluralize(stars, ['Останется', 'Останутся', 'Останется']);
  return `${verb} ${stars}\u00a0${pluralize(stars, ['звезда', 'звезды', 'звёзд'])}`;
}

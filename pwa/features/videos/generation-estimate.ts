import { describeUsualWait } from '#pwa/features/generations/waiting-time.ts';
import { type GenerationStatus, isSaving } from '#shared/rules/generation-lifecycle.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { TOOLS, type UsualWait } from '#shared/rules/tools.ts';

/** What makes the videos. */
export interface VideoEngine {
  isGenerative: boolean;
}

export const STAGE_TITLES: Record<GenerationStatus, string> = {
  pending: 'Готовим фото',
  processing: 'Кроим сцену',
  generating: 'Шьём движение',
  completed: 'Видео готово!',
  failed: 'Видео не получилось',
};

/** How far the engine is: «42 %», then «Сохраняем видео» instead of a percentage that stands still. Null: unknown. */
export function describeShare(share: number | null): string | null {
  if (share === null || share === 0) return null;
  return isSaving(share) ? 'Сохраняем видео' : `${Math.round(share * 100)}\u00a0%`;
}

/** The waiting line; null while nothing is known of this one. */
export function describeWait(
  engine: VideoEngine | null,
  expectedSeconds: number | null,
  elapsedSeconds: number,
): string | null {
  return describeUsualWait(expectedSeconds, elapsedSeconds, engine && guessTime(engine));
}

function guessTime({ isGenerative }: VideoEngine): UsualWait {
  return isGenerative ? TOOLS.video.usualWait : TOOLS.video.usualLocalWait;
}

/** «Останется 1 звезда», «Останутся 2 звезды», «Останется 5 звёзд». */
export function describeRemainingStars(stars: number): string {
  const verb = pluralize(stars, ['Останется', 'Останутся', 'Останется']);
  return `${verb} ${stars}\u00a0${pluralize(stars, ['звезда', 'звезды', 'звёзд'])}`;
}

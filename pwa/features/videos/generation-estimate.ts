import { describeUsualWait } from '#pwa/features/generations/waiting-time.ts';
import { type GenerationStatus, isSaving } from '#shared/rules/generation-lifecycle.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { TOOLS, type UsualWait } from '#shared/rules/tools.ts';

/** The engine that makes videos. */
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

/** The progress: «42 %», and «Сохраняем видео» near the end, where a percentage would not move. Null when unknown. */
export function describeShare(share: number | null): string | null {
  if (share === null || share === 0) return null;
  return isSaving(share) ? 'Сохраняем видео' : `${Math.round(share * 100)}\u00a0%`;
}

/** The text about the waiting time; null while nothing is known about this generation. */
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

import { nameRemoteStage } from '#pwa/features/generations/remote-stages.tsx';
import type { Progress } from '#shared/contract/progress.ts';
import { type GenerationStatus, isFinal, isSaving } from '#shared/rules/generation-lifecycle.ts';
import { pluralize } from '#shared/rules/plurals.ts';

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

/** The stage of a running video. The local engine has stages of its own. */
export function nameStage(status: GenerationStatus, progress: Progress | null): string {
  return progress?.isRemote && !isFinal(status)
    ? nameRemoteStage({ status, share: progress.share })
    : STAGE_TITLES[status];
}

/** «Останется 1 звезда», «Останутся 2 звезды», «Останется 5 звёзд». */
export function describeRemainingStars(stars: number): string {
  const verb = pluralize(stars, ['Останется', 'Останутся', 'Останется']);
  return `${verb} ${stars}\u00a0${pluralize(stars, ['звезда', 'звезды', 'звёзд'])}`;
}

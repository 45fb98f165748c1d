import type { Video } from '#shared/contract/videos.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { nb } from './format.ts';

/** «Видео, 5 секунд» */
export function describeLength({ duration }: Pick<Video, 'duration'>): string {
  const seconds = Math.round(duration);
  return nb(`Видео, ${seconds} ${pluralize(seconds, ['секунда', 'секунды', 'секунд'])}`);
}

/** The title of a video on its card, its page, in the history and in dialogs. */
export function titleVideo(video: Pick<Video, 'title' | 'duration'>): string {
  return video.title || describeLength(video);
}

import { formatDuration, formatRecentDate, nb } from '#pwa/lib/format.ts';
import { type AspectRatio, MOTION_NAMES } from '#shared/rules/motion-presets.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import type { Tracking } from './tracking.ts';
import type { VideoForm } from './video-form.ts';
import type { PlayableVideo } from './video-queries.ts';
import { subjectPicture } from './video-subject.ts';

/** The video in the middle of the page: one just made, or one from the history. */
export interface ShownVideo {
  videoId: string;
  url: string;
  posterUrl: string | null;
  /** Known before the file is loaded only for a video just made. */
  aspectRatio: AspectRatio | null;
  isNew: boolean;
  title: string;
  /** «5 секунд · дефиле · создано за 4 мин 52 с» */
  details: string;
}

/** The result of a generation that has completed, with its address. */
export function showResult(tracking: Tracking & { videoUrl: string }): ShownVideo {
  const { form } = tracking.subject;
  const details = [describeChoice(form)];
  if (tracking.progress?.finishedAt) {
    const { startedAt, finishedAt } = tracking.progress;
    details.push(`создано за ${formatDuration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)}`);
  }
  return {
    videoId: tracking.videoId ?? tracking.generationId,
    url: tracking.videoUrl,
    posterUrl: subjectPicture(tracking.subject),
    aspectRatio: form.aspectRatio,
    isNew: true,
    title: 'Видео готово!',
    details: details.join(' · '),
  };
}

export function showFromHistory(video: PlayableVideo): ShownVideo {
  return {
    videoId: video.videoId,
    url: video.url,
    posterUrl: video.posterUrl ?? video.thumbnail,
    aspectRatio: null,
    isNew: false,
    title: `Видео, ${formatRecentDate(video.createdAt)}`,
    details: describeSeconds(Math.round(video.duration)),
  };
}

function describeChoice({ duration, preset }: VideoForm): string {
  return `${describeSeconds(duration)} · ${MOTION_NAMES[preset].toLowerCase()}`;
}

/** «5 секунд», «10 секунд» */
export function describeSeconds(seconds: VideoSeconds | number): string {
  return nb(`${seconds} секунд`);
}

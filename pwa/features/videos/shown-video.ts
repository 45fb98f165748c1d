import { formatDate, formatDuration, nb } from '#pwa/format.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import type { ReportState } from '#shared/contract/report-state.ts';
import { type AspectRatio, MOTION_NAMES } from '#shared/rules/motion-presets.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import type { VideoForm } from './video-form.ts';
import type { PlayableVideo } from './video-queries.ts';
import { subjectPicture } from './video-subject.ts';
import type { FollowedVideo, VideoView } from './video-tool.ts';

/** The video on the stage: one just made, or one from the history. */
export interface ShownVideo {
  videoId: string;
  url: string;
  posterUrl: string | null;
  /** Known before the file is loaded only for a video just made. */
  aspectRatio: AspectRatio | null;
  isNew: boolean;
  /** What is known of its generation, for a video just made. */
  generation: VideoView | null;
  /** Whether the garment differs from the photo, as far as is known. */
  hasDrifted: boolean;
  title: string;
  /** «5 секунд · дефиле · создано за 4 мин 52 с» */
  details: string;
  /** Null while its file is there. */
  loss: ResultLoss | null;
  /** An earlier complaint. Undefined until the server has said whether there is one. */
  report?: ReportState | null | undefined;
}

export function showResult({ generationId, subject, progress, view }: FollowedVideo): ShownVideo {
  const details = [describeChoice(subject.form)];
  if (progress?.finishedAt) {
    const seconds = (Date.parse(progress.finishedAt) - Date.parse(progress.startedAt)) / 1000;
    details.push(`создано за ${formatDuration(seconds)}`);
  }
  return {
    videoId: generationId,
    url: view?.results[0]?.url ?? '',
    posterUrl: subjectPicture(subject),
    aspectRatio: subject.form.aspectRatio,
    isNew: true,
    generation: view,
    hasDrifted: false,
    title: 'Видео готово!',
    details: details.join(' · '),
    loss: view?.results[0]?.loss ?? null,
    report: view?.results[0]?.report,
  };
}

export function showFromHistory(video: PlayableVideo): ShownVideo {
  return {
    videoId: video.videoId,
    url: video.url,
    posterUrl: video.posterUrl ?? video.thumbnail,
    aspectRatio: null,
    isNew: false,
    generation: null,
    hasDrifted: video.hasDrifted,
    loss: video.loss ?? null,
    title: video.title,
    details: [describeSeconds(Math.round(video.duration)), formatDate(video.createdAt)].join(' · '),
  };
}

function describeChoice({ duration, preset }: VideoForm): string {
  return `${describeSeconds(duration)} · ${MOTION_NAMES[preset].toLowerCase()}`;
}

/** «5 секунд», «10 секунд» */
export function describeSeconds(seconds: VideoSeconds | number): string {
  return nb(`${seconds} секунд`);
}

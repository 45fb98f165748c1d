import type { FollowedChange } from './model-change-tool.ts';

export interface ModelChangeResult {
  afterUrl: string;
  /** The source photo; null when neither the server nor this device knows it. */
  beforeUrl: string | null;
  imageId: string | null;
  /** Null while the server has not reported it. */
  isModelReplaced: boolean | null;
  starsSpent: number;
  /** Whole seconds that it took; null while the server has not reported it. */
  tookSeconds: number | null;
}

/** The picture of a completed change of model; null while there is none. */
export function findResult({ status, view, early, subject }: FollowedChange): ModelChangeResult | null {
  if (status !== 'completed') return null;
  const beforeUrl = subject.photo?.previewUrl ?? null;
  const picture = view?.results[0];
  if (view && picture) {
    const { startedAt, finishedAt } = view.progress;
    return {
      afterUrl: picture.url,
      beforeUrl,
      imageId: picture.id,
      isModelReplaced: view.settings.isModelReplaced,
      starsSpent: view.starsSpent,
      tookSeconds: finishedAt === null ? null : Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000),
    };
  }
  // A result from the answer to the start is shown even when its details cannot be fetched.
  if (view || !early?.url) return null;
  const { url: afterUrl, starsSpent } = early;
  return { afterUrl, beforeUrl, starsSpent, imageId: null, isModelReplaced: null, tookSeconds: null };
}

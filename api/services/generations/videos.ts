import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isStorageFailure } from '#api/adapters/storage/object-storage.ts';
import type { VideoFacts } from '#api/adapters/video-encoder/video-encoder.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { resultKindOf } from '#api/services/ground/result-kind.ts';
import { withTemporaryFolder } from '#api/services/ground/temporary-folder.ts';
import { presentPhoto } from '#api/services/photos/photos.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { type VideoSettings, videoSettings } from '#shared/contract/video-settings.ts';
import type { ActiveGeneration, Video } from '#shared/contract/videos.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { listKindsMaking } from '#shared/rules/tools.ts';
import { getOwnGeneration } from './find-generation.ts';
import { type InputPhoto, listInputsOf } from './inputs.ts';
import { describeLosses, withResultFiles } from './lost-results.ts';
import { getProgress } from './progress.ts';
import { openStoredFile } from './result-files.ts';
import { readOrigins } from './result-origins.ts';
import { listResults } from './results.ts';
import { getEngine, startGeneration } from './start-generation.ts';
import { ensureWatermarkedCopy } from './video-results.ts';
import { getViewOfKind, presentLoss, videoUrl } from './view.ts';

type VideoGeneration = Generation & { results: Result[] };
export type VideoWithFile = VideoGeneration & { results: [Result, ...Result[]] };

/**
 * A generation of this account in the format of the video endpoints. Throws generation_not_found (also when it has lost
 * its file), generation_forbidden.
 */
export async function getVideoState(app: AppContext, accountId: number, id: string) {
  const { status, failure, results, progress, ...view } = await getViewOfKind(app, accountId, { kind: 'video', id });
  const result = results[0];
  return {
    status,
    videoUrl: result?.url ?? null,
    videoId: view.id,
    error: failure?.message ?? null,
    message: failure?.message ?? null,
    code: failure?.code ?? null,
    posterUrl: result?.previewUrl ?? null,
    duration: result?.durationSeconds ?? null,
    progress,
  };
}

/** Active generations of this account, newest first. */
export async function listActiveGenerations(app: AppContext, accountId: number): Promise<ActiveGeneration[]> {
  const generations = await app.db.generation.findMany({
    where: { accountId, status: { in: [...ACTIVE_STATUSES] } },
    orderBy: { createdAt: 'desc' },
  });
  const inputs = await listInputsOf(
    app.db,
    generations.map(({ id }) => id),
  );
  return generations.map((generation) => presentActive(app, generation, inputs.get(generation.id) ?? []));
}

function presentActive(app: AppContext, generation: Generation, [first]: readonly InputPhoto[]): ActiveGeneration {
  if (!first) throw new Error(`${generation.id} runs without a photo`);
  const photo = presentPhoto(first);
  return {
    id: generation.id,
    generationId: generation.id,
    kind: generation.kind,
    made: resultKindOf(app, generation),
    status: generation.status,
    createdAt: generation.createdAt.toISOString(),
    settings: presentSettings(generation),
    thumbnailUrl: photo.thumbnailUrl,
    photo,
    progress: getProgress(app, generation),
  };
}

/**
 * The settings with which the tool's page fills its form. Empty for tools whose pages remember the choice themselves.
 */
function presentSettings({ kind, settings }: Generation): ActiveGeneration['settings'] {
  switch (kind) {
    case 'video':
      return videoSettings.partial().parse(settings);
    case 'model_change':
    case 'photosession':
    case 'try_on':
      return {};
  }
}

/** One page of the finished videos of this account, newest first. Throws invalid_request for an invalid cursor. */
export async function listVideos(app: AppContext, accountId: number, page: { cursor?: string; limit: number }) {
  const results = await listResults(app.db, {
    accountId,
    kinds: listKindsMaking('video'),
    sort: 'newest',
    cursor: page.cursor,
    limit: page.limit + 1,
  });
  const shown = results.slice(0, page.limit);
  const origins = await readOrigins(app, shown);
  const losses = await describeLosses(app, shown);
  const { isPremium } = await getPremiumStatus(app, accountId);
  return {
    videos: await Promise.all(
      shown.map(async (result) => {
        const startedAt = origins.get(result.id)?.startedAt ?? result.createdAt;
        const bytes = isPremium ? result.bytes : await measureCopy(app, result);
        return {
          ...presentVideo(result, startedAt, bytes),
          ...presentLoss(losses, result),
        };
      }),
    ),
    nextCursor: results.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Bytes of the copy with the logo, or of the original while there is no copy or nobody can say. */
async function measureCopy(app: AppContext, { watermarkedKey, bytes }: Result): Promise<number> {
  if (!watermarkedKey) return bytes;
  const size = await app.storage.findSize(watermarkedKey).catch((error: unknown) => {
    // The list is in the database. While the storage is away it is shown, and says so where a picture is missing.
    if (isStorageFailure(error)) return null;
    throw error;
  });
  return size || bytes;
}

function presentVideo(result: Result, createdAt: Date, bytes: number): Video {
  const { generationId, title, durationSeconds, width, height } = result;
  return {
    id: generationId,
    url: videoUrl(generationId),
    videoUrl: videoUrl(generationId),
    videoId: generationId,
    generationId,
    title,
    status: 'completed',
    createdAt: createdAt.toISOString(),
    error: null,
    thumbnail: `/media/results/${generationId}/0/thumbnail`,
    posterUrl: `/media/results/${generationId}/0/poster`,
    duration: durationSeconds ?? 0,
    width,
    height,
    bytes,
    hasDrifted: result.hasDrifted,
  };
}

/** A finished video of this account. Throws video_not_found, or video_forbidden when it is another's. */
export async function getOwnVideo(app: AppContext, accountId: number, videoId: string): Promise<VideoWithFile> {
  const kinds = listKindsMaking('video');
  const generation = await getOwnGeneration(app.db, { accountId, kinds, id: videoId }, 'video');
  if (generation.status !== 'completed' || !hasFile(generation)) throw new AppError('video_not_found');
  return generation;
}

function hasFile(generation: VideoGeneration): generation is VideoWithFile {
  return generation.results.length > 0;
}

/**
 * The storage key of the video that this owner may see now: the original after a payment, otherwise the copy with the
 * logo.
 */
async function selectPlaybackKey(app: AppContext, video: VideoWithFile): Promise<string> {
  const { isPremium } = await getPremiumStatus(app, video.accountId);
  return isPremium ? video.results[0].originalKey : ensureWatermarkedCopy(app, video);
}

/** Does something with the file of a video that its owner may see now. Throws what withResultFiles throws. */
export function withVideoFiles<T>(
  app: AppContext,
  video: VideoWithFile,
  use: (key: string, result: Result) => Promise<T>,
): Promise<T> {
  return withResultFiles(app, video.results[0], async (result) =>
    use(await selectPlaybackKey(app, { ...video, results: [result] }), result),
  );
}

interface VideoRequest {
  accountId: number;
  photoId: string;
  settings: VideoSettings;
  /** In stars. The video is refused at any other price. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/**
 * Starts a video from a photo. Throws video_length_unavailable and aspect_ratio_unavailable when the engine makes no
 * such video, and what startGeneration throws.
 */
export async function startVideo(app: AppContext, request: VideoRequest): Promise<{ generationId: string }> {
  const { accountId, photoId, settings, agreedPrice, idempotencyKey } = request;
  assertVideoMade(app, settings);
  return startGeneration(app, {
    accountId,
    kind: 'video',
    photos: { subject: { imageId: photoId } },
    choice: settings,
    videoSeconds: settings.duration,
    agreedPrice,
    idempotencyKey,
  });
}

/** Throws tool_not_offered, video_length_unavailable, aspect_ratio_unavailable when no engine makes such a video. */
export function assertVideoMade(app: AppContext, { duration, aspectRatio }: VideoSettings): void {
  const { video } = getEngine(app, 'video').abilities;
  if (!video?.seconds.includes(duration)) throw new AppError('video_length_unavailable');
  if (!video.aspectRatios.includes(aspectRatio)) throw new AppError('aspect_ratio_unavailable');
}

const ANALYSIS_TIMEOUT_MS = 30_000;

/**
 * Facts about the file that this owner gets, read from the file. Throws video_not_found, video_forbidden, result_lost.
 */
export async function analyzeVideo(app: AppContext, accountId: number, videoId: string): Promise<VideoFacts> {
  const video = await getOwnVideo(app, accountId, videoId);
  return withVideoFiles(app, video, (key, result) => analyzeFile(app, result, key));
}

function analyzeFile(app: AppContext, result: Result, key: string): Promise<VideoFacts> {
  return withTemporaryFolder(app, async (folder) => {
    const file = path.join(folder, 'video.mp4');
    await pipeline(await openStoredFile(app, result, key), createWriteStream(file));
    return app.videoEncoder.probe(file, AbortSignal.timeout(ANALYSIS_TIMEOUT_MS));
  });
}

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { VideoFacts } from '#api/adapters/video-encoder/video-encoder.ts';
import type { Db, Tx } from '#api/database/database.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import { presentPhoto } from '#api/services/photos/photos.ts';
import type { Generation, Result } from '#prisma/generated/client.ts';
import { storedVideoSettings } from '#shared/contract/video-settings.ts';
import type { ActiveGeneration, Video } from '#shared/contract/videos.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { listKindsMaking } from '#shared/rules/tools.ts';
import { getOwnGenerationOfAnyKind } from './find-generation.ts';
import { type InputPhoto, listInputsOf } from './inputs.ts';
import { describeLosses, withResultFiles } from './lost-results.ts';
import { getProgress } from './progress.ts';
import { openResultFile } from './result-files.ts';
import { type ListedResult, listResults } from './results.ts';
import { dropFailedCopy, getVideoCopy, isPreparing } from './video-copies.ts';
import { getViewOfKind, presentLoss, type Viewer, videoUrl } from './view.ts';

interface VideosPage {
  /** The id of the last result of the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/**
 * A generation of this account in the format of the video endpoints. Throws generation_not_found (also when it has lost
 * its file), generation_forbidden.
 */
export async function getVideoState(app: AppContext, caller: Viewer, id: string) {
  const { status, failure, results, progress, ...view } = await getViewOfKind(app, caller, id, 'video');
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
  return generations.flatMap((generation) => {
    const first = inputs.get(generation.id)?.[0];
    // It has just ended, and its owner has deleted the photo.
    return first ? [presentActive(app, generation, first)] : [];
  });
}

function presentActive(app: AppContext, generation: Generation, first: InputPhoto): ActiveGeneration {
  const photo = presentPhoto(first);
  return {
    id: generation.id,
    generationId: generation.id,
    kind: generation.kind,
    made: resultKindOf(generation),
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
      return storedVideoSettings.parse(settings);
    case 'model_change':
    case 'photosession':
    case 'try_on':
      return {};
  }
}

/** One page of the finished videos of this account, newest first. Throws invalid_request for an invalid cursor. */
export async function listVideos(
  app: AppContext,
  { id: accountId, premium: { isPremium } }: Viewer,
  { cursor, limit }: VideosPage,
) {
  const kinds = listKindsMaking('video');
  const results = await listResults(app.db, accountId, { kinds, sort: 'newest', cursor, limit: limit + 1 });
  const shown = results.slice(0, limit);
  const losses = await describeLosses(app, shown);
  return {
    videos: shown.map((result) => ({
      ...presentVideo(result, isPremium ? result.bytes : bytesOfCopy(result)),
      ...presentLoss(losses, result),
    })),
    nextCursor: results.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Bytes of the copy with the logo, or of the original while there is no copy. */
function bytesOfCopy({ watermarkedKey, watermarkedBytes, bytes }: ListedResult): number {
  return watermarkedKey ? (watermarkedBytes ?? bytes) : bytes;
}

function presentVideo(result: ListedResult, bytes: number): Video {
  const { generationId, title, startedAt, durationSeconds, width, height } = result;
  return {
    id: generationId,
    url: videoUrl(generationId),
    videoUrl: videoUrl(generationId),
    videoId: generationId,
    generationId,
    title,
    status: 'completed',
    createdAt: startedAt.toISOString(),
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

/** The file of a finished video of this account. Throws video_not_found, video_forbidden. */
export async function getOwnVideo(db: Db | Tx, accountId: number, id: string): Promise<Result> {
  const finished = {
    kind: { in: listKindsMaking('video') },
    deletedAt: null,
    generation: { status: 'completed' },
  } as const;
  const video = isUuid(id) ? await db.result.findFirst({ where: { generationId: id, ...finished } }) : null;
  // Without a file, the generation tells whose it is.
  if (!video) await getOwnGenerationOfAnyKind(db, accountId, id, 'video');
  return requireOwn('video', accountId, video);
}

/**
 * The storage key of the video that its owner may see now: the original after a payment, otherwise the copy with the
 * logo.
 */
async function selectPlaybackKey(app: AppContext, result: Result, isPremium: boolean): Promise<string> {
  return isPremium ? result.originalKey : getVideoCopy(app, result);
}

/**
 * Does something with the file of a video that its owner may see now. Throws what withResultFiles and getVideoCopy
 * throw.
 */
export function withVideoFiles<T>(
  app: AppContext,
  video: Result,
  isPremium: boolean,
  use: (key: string, result: Result) => Promise<T>,
): Promise<T> {
  return withResultFiles(app, video, async (result) => use(await selectPlaybackKey(app, result, isPremium), result));
}

/**
 * Makes sure that its owner will be served the file, also when making its copy was given up. Says whether it is there.
 * Throws what withResultFiles throws.
 */
export async function prepareVideo(app: AppContext, video: Result, isPremium: boolean): Promise<{ isReady: boolean }> {
  if (isPremium) return { isReady: true };
  await dropFailedCopy(app.db, video.generationId);
  return withResultFiles(app, video, async (result) => {
    try {
      await getVideoCopy(app, result);
      return { isReady: true };
    } catch (error) {
      if (!isPreparing(error)) throw error;
      return { isReady: false };
    }
  });
}

const ANALYSIS_TIMEOUT_MS = 30_000;

/** Facts about the file that its owner gets, read from the file. Throws what withVideoFiles throws. */
export async function analyzeVideo(app: AppContext, video: Result, isPremium: boolean): Promise<VideoFacts> {
  return withVideoFiles(app, video, isPremium, (key, result) => analyzeFile(app, result, key));
}

function analyzeFile(app: AppContext, result: Result, key: string): Promise<VideoFacts> {
  return withTemporaryFolder(app, async (folder) => {
    const file = path.join(folder, 'video.mp4');
    await pipeline(await openResultFile(app, result, key), createWriteStream(file));
    return app.videoEncoder.probe(file, AbortSignal.timeout(ANALYSIS_TIMEOUT_MS));
  });
}

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { VideoFacts } from '#api/adapters/video-encoder/video-encoder.ts';
import type { Db, Tx } from '#api/database/database.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { cutPage } from '#api/services/core/cursors.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type { Result } from '#prisma/generated/client.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import type { Video } from '#shared/contract/videos.ts';
import { listKindsMaking } from '#shared/rules/tools.ts';
import { getOwnGenerationOfAnyKind } from './find-generation.ts';
import { describeLosses, presentLoss, withResultFiles } from './lost-results.ts';
import { openResultFile } from './result-files.ts';
import { withNames } from './result-names.ts';
import { type ListedResult, listResults } from './results.ts';
import { dropFailedCopy, getVideoCopy, isPreparing } from './video-copies.ts';

interface VideosPage {
  /** The id of the last result of the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/** One page of the finished videos of this account, newest first. Throws invalid_request for an invalid cursor. */
export async function listVideos(
  app: AppContext,
  { id: accountId, premium: { isPremium } }: Viewer,
  { cursor, limit }: VideosPage,
) {
  const kinds = listKindsMaking('video');
  const results = await listResults(app.db, accountId, { kinds, sort: 'newest', cursor, limit: limit + 1 });
  const { page, last } = cutPage(results, limit);
  const losses = await describeLosses(app, page);
  const named = await withNames(app.db, page);
  return {
    videos: named.map((result) => ({ ...presentVideo(result, isPremium), ...presentLoss(losses, result) })),
    nextCursor: last?.id ?? null,
  };
}

/** Bytes of the copy with the logo, or of the original while there is no copy. */
function bytesOfCopy({ watermarkedKey, watermarkedBytes, bytes }: ListedResult): number {
  return watermarkedKey ? (watermarkedBytes ?? bytes) : bytes;
}

/** A finished video as lists show it. `isPremium`: whether its owner has paid and gets the original. */
export function presentVideo(result: ListedResult & { name: ResultName }, isPremium: boolean): Video {
  const { generationId, startedAt, durationSeconds, width, height } = result;
  return {
    id: generationId,
    url: videoUrl(generationId),
    videoUrl: videoUrl(generationId),
    videoId: generationId,
    generationId,
    ...result.name,
    status: 'completed',
    createdAt: startedAt.toISOString(),
    error: null,
    thumbnail: `/media/results/${generationId}/0/thumbnail`,
    posterUrl: `/media/results/${generationId}/0/poster`,
    duration: durationSeconds ?? 0,
    width,
    height,
    bytes: isPremium ? result.bytes : bytesOfCopy(result),
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

/** Address of a video. Which file it serves is decided on each request. */
export function videoUrl(generationId: string): string {
  return `/api/video-proxy/${generationId}`;
}

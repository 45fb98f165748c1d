import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import type { Generation, Photo, Result } from '#prisma/generated/client.ts';
import { type ActiveGeneration, type Video, videoSettings } from '#shared/contract/videos.ts';
import {
  ACTIVE_STATUSES,
  GENERATION_FAILURES,
  type GenerationFailureCode,
  type GenerationKind,
} from '#shared/rules/generation-lifecycle.ts';
import { getPremiumStatus } from './payments.ts';
import { presentPhoto } from './photos.ts';
import { isUuid } from './uuid.ts';
import { ensureWatermarkedCopy } from './video-results.ts';

/** The newest that one answer lists. */
const MAX_LISTED = 200;
/** Recent runs whose median is the honest estimate. */
const ESTIMATE_RUNS = 20;

type VideoGeneration = Generation & { results: Result[] };
type VideoWithFile = VideoGeneration & { results: [Result, ...Result[]] };

/** Address of the bytes; what they are is decided when they are served. */
function videoUrl(generationId: string): string {
  return `/api/video-proxy/${generationId}`;
}

/** Whole seconds that recent runs of this kind took in the median, from request to result; null without history. */
export async function estimateSeconds(app: AppContext, kind: GenerationKind): Promise<number | null> {
  const [row] = await app.db.$queryRaw<[{ median: number | null }]>`
    select percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at))::float as median
    from (
      select finished_at, created_at from generations
      where kind = ${kind}::generation_kind and engine = ${app.engine.name} and status = 'completed'
      order by created_at desc limit ${ESTIMATE_RUNS}
    ) as recent`;
  return row.median === null ? null : Math.max(1, Math.round(row.median));
}

/** A generation of this account, in the video dialect. Throws generation_not_found. */
export async function getVideoState(app: AppContext, accountId: number, generationId: string) {
  const generation = isUuid(generationId)
    ? await app.db.generation.findFirst({
        where: { id: generationId, accountId, kind: 'video', deletedAt: null },
        include: { results: true },
      })
    : null;
  if (!generation) throw new AppError('generation_not_found');
  const result = generation.results[0];
  const isCompleted = generation.status === 'completed';
  const failure =
    generation.status === 'failed' ? GENERATION_FAILURES[generation.failureCode as GenerationFailureCode] : null;
  return {
    status: generation.status,
    videoUrl: isCompleted ? videoUrl(generation.id) : null,
    videoId: generation.id,
    error: failure,
    message: failure,
    code: generation.failureCode,
    posterUrl: result ? `/media/results/${generation.id}/0/poster` : null,
    duration: result?.durationSeconds ?? null,
    progress: presentProgress(generation, isCompleted ? null : await estimateSeconds(app, 'video')),
  };
}

function presentProgress(generation: Generation, expectedSeconds: number | null) {
  return {
    share: generation.progressShare,
    startedAt: generation.createdAt.toISOString(),
    finishedAt: generation.finishedAt?.toISOString() ?? null,
    expectedSeconds,
  };
}

/** Generations of this account that have not ended, newest first. */
export async function listActiveGenerations(app: AppContext, accountId: number): Promise<ActiveGeneration[]> {
  const generations = await app.db.generation.findMany({
    where: { accountId, status: { in: [...ACTIVE_STATUSES] } },
    include: { photo: true },
    orderBy: { createdAt: 'desc' },
  });
  const expectedSeconds = generations.length > 0 ? await estimateSeconds(app, 'video') : null;
  return generations.map((generation) => presentActive(generation, expectedSeconds));
}

function presentActive(generation: Generation & { photo: Photo }, expectedSeconds: number | null): ActiveGeneration {
  const photo = presentPhoto(generation.photo);
  return {
    id: generation.id,
    generationId: generation.id,
    kind: generation.kind,
    status: generation.status,
    createdAt: generation.createdAt.toISOString(),
    settings: videoSettings.partial().parse(generation.settings),
    thumbnailUrl: photo.thumbnailUrl,
    photo,
    progress: presentProgress(generation, expectedSeconds),
  };
}

/** Finished videos of this account, newest first. */
export async function listVideos(app: AppContext, accountId: number): Promise<Video[]> {
  const generations = await app.db.generation.findMany({
    where: { accountId, kind: 'video', status: 'completed', deletedAt: null },
    include: { results: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_LISTED,
  });
  return generations.map((generation) => ({
    id: generation.id,
    url: videoUrl(generation.id),
    videoUrl: videoUrl(generation.id),
    videoId: generation.id,
    generationId: generation.id,
    status: generation.status,
    createdAt: generation.createdAt.toISOString(),
    error: null,
    thumbnail: `/media/results/${generation.id}/0/thumbnail`,
    posterUrl: `/media/results/${generation.id}/0/poster`,
    duration: generation.results[0]?.durationSeconds ?? 0,
  }));
}

/** A finished video that this account owns. Throws video_not_found, or video_forbidden when it is another's. */
export async function getOwnVideo(app: AppContext, accountId: number, videoId: string): Promise<VideoWithFile> {
  const generation = isUuid(videoId)
    ? await app.db.generation.findFirst({
        where: { id: videoId, kind: 'video', status: 'completed', deletedAt: null },
        include: { results: { orderBy: { position: 'asc' } } },
      })
    : null;
  if (!generation || !hasFile(generation)) throw new AppError('video_not_found');
  if (generation.accountId !== accountId) throw new AppError('video_forbidden');
  return generation;
}

function hasFile(generation: VideoGeneration): generation is VideoWithFile {
  return generation.results.length > 0;
}

/** The storage key of what this owner may see now: the original after a payment, else the copy with the logo. */
export async function selectPlaybackKey(app: AppContext, video: VideoWithFile): Promise<string> {
  const { isPremium } = await getPremiumStatus(app.db, video.accountId);
  return isPremium ? video.results[0].originalKey : ensureWatermarkedCopy(app, video);
}

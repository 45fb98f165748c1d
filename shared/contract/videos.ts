import * as z from 'zod/mini';
import { GENERATION_KINDS, GENERATION_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';
import { resultLoss } from './generation-outcomes.ts';
import { byId, idText, pageCursor } from './ids.ts';
import { progress } from './progress.ts';
import { resultName } from './result-name.ts';
import { START_ERRORS } from './start-errors.ts';
import { uploadedPhoto } from './uploads.ts';
import { storedVideoSettings, videoSettings } from './video-settings.ts';

/** Number of the newest items in an answer without a limit. */
export const VIDEOS_MAX_LIMIT = 200;
const generationStatus = z.enum(GENERATION_STATUSES);
const isoDate = z.iso.datetime();

const PHOTO_NOT_CHOSEN = 'Пожалуйста, загрузите изображение';

export const startVideo = defineEndpoint({
  method: 'POST',
  path: '/api/generate',
  summary: 'Holds the stars and starts a video; repeatable with the same Idempotency-Key',
  access: 'verified',
  body: z.object({
    imageId: z.string(PHOTO_NOT_CHOSEN).check(z.minLength(1, PHOTO_NOT_CHOSEN), z.maxLength(64)),
    settings: z.prefault(videoSettings, {}),
  }),
  answer: z.object({ generationId: z.string(), videoId: z.string() }),
  errors: [...START_ERRORS, 'video_length_unavailable', 'aspect_ratio_unavailable'],
});

const byGenerationId = z.object({ generationId: idText });
const videoState = z.object({
  status: generationStatus,
  videoUrl: z.nullable(z.string()),
  videoId: z.nullable(z.string()),
  error: z.nullable(z.string()),
  message: z.nullable(z.string()),
  /** Stable code of the failure, for clients. Null unless failed. */
  code: z.nullable(z.string()),
});

export const getVideoStatus = defineEndpoint({
  method: 'GET',
  path: '/api/status',
  summary: 'State of a video generation, polled by the page',
  access: 'account',
  query: byGenerationId,
  answer: z.extend(videoState, { progress }),
  errors: ['generation_not_found', 'generation_forbidden', 'unavailable'],
});
export const retrieveVideo = defineEndpoint({
  method: 'GET',
  path: '/api/retrieve-video',
  summary: 'The finished video of a generation; changes nothing',
  access: 'account',
  query: byGenerationId,
  answer: z.extend(videoState, { posterUrl: z.nullable(z.string()), duration: z.nullable(z.number()) }),
  errors: ['generation_not_found', 'generation_forbidden'],
});

export const activeGeneration = z.object({
  id: z.string(),
  generationId: z.string(),
  kind: z.enum(GENERATION_KINDS),
  /** What it really makes. A change of model may change only the background. */
  made: z.enum(RESULT_KINDS),
  status: generationStatus,
  createdAt: isoDate,
  settings: storedVideoSettings,
  thumbnailUrl: z.nullable(z.string()),
  photo: uploadedPhoto,
  progress,
});
export type ActiveGeneration = z.infer<typeof activeGeneration>;
export const listActiveGenerations = defineEndpoint({
  method: 'GET',
  path: '/api/active-generations',
  summary: 'Generations that have not ended',
  access: 'account',
  answer: z.object({ activeGenerations: z.array(activeGeneration) }),
});

export const video = z.object({
  id: z.string(),
  url: z.nullable(z.string()),
  videoUrl: z.nullable(z.string()),
  videoId: z.string(),
  generationId: z.string(),
  ...resultName,
  status: generationStatus,
  createdAt: isoDate,
  error: z.nullable(z.string()),
  thumbnail: z.nullable(z.string()),
  posterUrl: z.nullable(z.string()),
  duration: z.number(),
  width: z.int(),
  height: z.int(),
  /** Size of the file that this owner gets. While the copy with the logo is missing, the size of the original. */
  bytes: z.int(),
  /** Whether colour or print of the garment differ from the photo. False also while nobody knows. */
  hasDrifted: z.boolean(),
  /** Absent while its file is there. */
  loss: z.optional(resultLoss),
});
export type Video = z.infer<typeof video>;
export const listVideos = defineEndpoint({
  method: 'GET',
  path: '/api/videos',
  summary: 'Finished videos, newest first',
  access: 'account',
  query: z.object({
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(VIDEOS_MAX_LIMIT)), VIDEOS_MAX_LIMIT),
  }),
  answer: z.object({
    videos: z.array(video),
    /** The `cursor` of the next page. Null at the end. */
    nextCursor: z.nullable(z.string()),
  }),
});

export const getVideoDownloadAccess = defineEndpoint({
  method: 'GET',
  path: '/api/videos/:id/download-access',
  summary: 'Whether the original may be downloaded, and from where',
  access: 'account',
  params: byId,
  answer: z.object({
    canDownload: z.boolean(),
    downloadUrl: z.nullable(z.string()),
    upgradeMessage: z.nullable(z.string()),
    premiumStatus: z.object({ hasSuccessfulTransactions: z.boolean(), transactionCount: z.int() }),
  }),
  errors: ['video_not_found', 'video_forbidden', 'result_lost', 'storage_unavailable'],
});
/**
 * Bytes of the video: the original for an owner who has paid, otherwise the copy with the logo. The first request has it
 * made; until it is there the answer is video_preparing with the seconds to wait, also to HEAD and Range.
 */
export const streamVideo = defineEndpoint({
  method: 'GET',
  path: '/api/video-proxy/:id',
  summary: 'The video for playback, with Range and HEAD; `?download=1` asks for the original as an attachment',
  access: 'account',
  params: byId,
  query: z.object({ download: z.optional(z.literal('1')) }),
  errors: [
    'video_not_found',
    'video_forbidden',
    'video_preparing',
    'video_copy_failed',
    'premium_required',
    'range_not_satisfiable',
    'result_lost',
    'storage_unavailable',
  ],
});
export const streamWholeVideo = defineEndpoint({
  method: 'GET',
  path: '/api/video-proxy-full/:id',
  summary: 'The same video in one piece, without ranges',
  access: 'account',
  params: byId,
  errors: [
    'video_not_found',
    'video_forbidden',
    'video_preparing',
    'video_copy_failed',
    'result_lost',
    'storage_unavailable',
  ],
});
/** While the file is made, its address answers video_preparing, and an account event about the generation says that it is there. */
export const prepareVideo = defineEndpoint({
  method: 'POST',
  path: '/api/videos/:id/prepare',
  summary: 'Has the file for playback made if it is missing, also after making it has failed',
  access: 'account',
  params: byId,
  answer: z.object({ isReady: z.boolean() }),
  errors: ['video_not_found', 'video_forbidden', 'result_lost', 'storage_unavailable', 'too_many_requests'],
});
export const analyzeVideo = defineEndpoint({
  method: 'GET',
  path: '/api/analyze-video/:id',
  summary: 'What the file really is, read from its bytes',
  access: 'account',
  params: byId,
  answer: z.object({
    codec: z.string(),
    pixelFormat: z.string(),
    width: z.int(),
    height: z.int(),
    framesPerSecond: z.number(),
    durationSeconds: z.number(),
    bytes: z.int(),
    /** Whether the index comes before the picture data, so that playback starts at once. */
    isFaststart: z.boolean(),
  }),
  errors: ['video_not_found', 'video_forbidden', 'video_preparing', 'video_copy_failed', 'too_many_requests'],
});

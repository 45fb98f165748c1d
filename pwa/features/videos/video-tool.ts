import * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { localizeEngineDay } from '#pwa/client/engine-day.ts';
import { createDeviceRecord } from '#pwa/features/generations/device-record.ts';
import { type Followed, isStalled, type Outcome, STEPS } from '#pwa/features/generations/followed-generation.ts';
import type { GenerationTool, OutcomeMessage, StartRequest } from '#pwa/features/generations/generation-tool.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { storedVideoSettings } from '#shared/contract/video-settings.ts';
import { startVideo } from '#shared/contract/videos.ts';
import { GENERATION_FAILURES, GENERATION_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import { DEFAULT_VIDEO_FORM, fromVideoSettings, toVideoSettings, type VideoForm } from './video-form.ts';
import type { VideoSubject } from './video-subject.ts';
import { VIDEO_TEXTS } from './video-texts.ts';

export type VideoView = Extract<GenerationView, { kind: 'video' }>;
export type FollowedVideo = Followed<VideoSubject, VideoView>;

const ACTIVE_GENERATION_KEY = 'activeGeneration';
const VERSION = 1;

/** The device's record of a running generation, with the fields of the specification. Times are in milliseconds. */
const savedGeneration = z.object({
  version: z.literal(VERSION),
  generationId: z.string().check(z.minLength(1)),
  isGenerating: z.boolean(),
  conversionStep: z.enum(STEPS),
  status: z.enum(GENERATION_STATUSES),
  videoSettings: storedVideoSettings,
  timestamp: z.number(),
  imageUrl: z.nullable(z.string()),
  fileId: z.nullable(z.string()),
  imageDimensions: z.nullable(z.object({ width: z.number(), height: z.number() })),
  startTime: z.number(),
  lastPollTime: z.nullable(z.number()),
  pollCount: z.number(),
  errors: z.array(z.string()),
  retryCount: z.number(),
  /** What the fields above do not contain of the photo: its name, size, type and thumbnail. */
  photo: z.nullable(uploadedPhoto),
  thumbnailUrl: z.nullable(z.string()),
});

const videoRecord = createDeviceRecord<VideoSubject, { [ACTIVE_GENERATION_KEY]: z.infer<typeof savedGeneration> }>({
  shapes: { [ACTIVE_GENERATION_KEY]: savedGeneration },
  encode(followed, at) {
    const { photo, thumbnailUrl, form } = followed.subject;
    return {
      [ACTIVE_GENERATION_KEY]: {
        version: VERSION,
        generationId: followed.generationId,
        isGenerating: !isStalled(followed.step),
        conversionStep: followed.step,
        status: followed.status,
        videoSettings: storedVideoSettings.parse(toVideoSettings(form)),
        timestamp: at,
        imageUrl: photo?.previewUrl ?? null,
        fileId: photo?.id ?? null,
        imageDimensions: photo && { width: photo.width, height: photo.height },
        startTime: followed.startedAt,
        lastPollTime: followed.lastPollAt,
        pollCount: followed.pollCount,
        errors: followed.errors,
        retryCount: followed.failuresInARow,
        photo,
        thumbnailUrl,
      },
    };
  },
  decode({ [ACTIVE_GENERATION_KEY]: saved }) {
    // A generation that the server does not know is not restored.
    if (saved.conversionStep === 'critical_error') return null;
    const { generationId, photo, thumbnailUrl, status, pollCount } = saved;
    return {
      generationId,
      status,
      pollCount,
      startedAt: saved.startTime,
      lastPollAt: saved.lastPollTime,
      subject: { photo, thumbnailUrl, form: fromVideoSettings(saved.videoSettings) },
    };
  },
});

export const VIDEO_TOOL: GenerationTool<VideoForm, VideoSubject, VideoView> = {
  kind: 'video',
  policy: {
    restoreMs: Number.POSITIVE_INFINITY,
    whenLost: 'show',
    whenItRunsOn: 'follow',
    // A strip above the form offers it.
    joinsLater: true,
    unansweredText: VIDEO_TEXTS.pollFailed,
    subjectOf: ({ photos: [photo = null], settings }) => describeSubject(photo, fromVideoSettings(settings)),
  },
  record: videoRecord,
  unknownSubject: describeSubject(null, DEFAULT_VIDEO_FORM),
  subjectOfStart: ({ photo, form }) => describeSubject(photo, form),
  subjectOfActive: ({ photo, settings }) => describeSubject(photo, fromVideoSettings(settings)),
  toBody,
  send: (request, options) => callApi(startVideo, { body: toBody(request) }, options),
  consent: (form, agreedAt) => ({
    slot: 'video',
    settings: storedVideoSettings.parse(toVideoSettings(form)),
    price: videoPrice(form.duration),
    agreedAt,
  }),
  toOrder: ({ photo, form }) => ({
    set: { kind: 'video', settings: toVideoSettings(form) },
    photoId: photo.id,
    agreedStars: videoPrice(form.duration),
  }),
  describeOutcome: describeVideoOutcome,
  startFailedText: VIDEO_TEXTS.startFailed,
  startFailedTitle: VIDEO_TEXTS.startFailed,
  startErrorType: 'video_generation_start',
};

function toBody({ photo, form }: StartRequest<VideoForm>) {
  return { imageId: photo.id, settings: toVideoSettings(form) };
}

function describeSubject(photo: UploadedPhoto | null, form: VideoForm): VideoSubject {
  return { photo, thumbnailUrl: photo?.thumbnailUrl ?? null, form };
}

/** The announcements of videos. A finished one is announced where it is shown, with an offer to watch it. */
function describeVideoOutcome(outcome: Outcome): OutcomeMessage {
  switch (outcome.kind) {
    case 'missing':
      return { toast: { title: VIDEO_TEXTS.completed, tone: 'success' } };
    case 'failed': {
      const description = localizeEngineDay(outcome.message ?? GENERATION_FAILURES.engine_error);
      const error = { type: 'video_generation', message: description };
      return { toast: { title: VIDEO_TEXTS.startFailed, description, tone: 'danger' }, error };
    }
    case 'unanswered': {
      // The server's own text is shown over the picture.
      if (outcome.failure.message !== null) return {};
      const description = 'Нет ответа от сервера, повторяем';
      return { toast: { title: VIDEO_TEXTS.pollFailed, description, tone: 'danger' } };
    }
    case 'timeout':
      return { toast: { title: VIDEO_TEXTS.tooLong } };
    case 'gave_up': {
      const description = VIDEO_TEXTS.serverUnreachableHint;
      const toast = { title: VIDEO_TEXTS.serverUnreachable, description, tone: 'danger' } as const;
      return { toast, error: { type: 'video_status', message: outcome.message } };
    }
    case 'lost':
      return { error: { type: 'video_status', message: outcome.message } };
    default:
      return {};
  }
}

import { z } from 'zod';
import { ACTIVE_GENERATION_KEY } from '#pwa/lib/legacy-storage.ts';
import { readStored, removeStored, writeStored } from '#pwa/lib/storage.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { GENERATION_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { beginTracking, isStalled, TRACKING_STEPS, type Tracking } from './tracking.ts';
import { fromVideoSettings, toVideoSettings, videoForm } from './video-form.ts';

const VERSION = 1;
const DRAFT_KEY = 'videoDraft';

/** The browser's record of a running generation, with the fields of the specification; moments in milliseconds. */
const savedGeneration = z.object({
  version: z.literal(VERSION),
  generationId: z.string().min(1),
  isGenerating: z.boolean(),
  conversionStep: z.enum(TRACKING_STEPS),
  status: z.enum(GENERATION_STATUSES),
  videoSettings: videoSettings.partial(),
  timestamp: z.number(),
  imageUrl: z.string().nullable(),
  fileId: z.string().nullable(),
  imageDimensions: z.object({ width: z.number(), height: z.number() }).nullable(),
  startTime: z.number(),
  lastPollTime: z.number().nullable(),
  pollCount: z.number(),
  errors: z.array(z.string()),
  retryCount: z.number(),
  /** What the fields above leave out of the photo: its name, bytes, type and thumbnail. */
  photo: uploadedPhoto.nullable(),
  thumbnailUrl: z.string().nullable(),
});
export type SavedGeneration = z.infer<typeof savedGeneration>;

/** The record of a generation as it stands at the moment `at`. */
export function toSavedGeneration(tracking: Tracking, at: number): SavedGeneration {
  const { photo, thumbnailUrl, form } = tracking.subject;
  return {
    version: VERSION,
    generationId: tracking.generationId,
    isGenerating: !isStalled(tracking.step),
    conversionStep: tracking.step,
    status: tracking.status,
    videoSettings: videoSettings.partial().parse(toVideoSettings(form)),
    timestamp: at,
    imageUrl: photo?.previewUrl ?? null,
    fileId: photo?.id ?? null,
    imageDimensions: photo && { width: photo.width, height: photo.height },
    startTime: tracking.startedAt,
    lastPollTime: tracking.lastPollAt,
    pollCount: tracking.pollCount,
    errors: tracking.errors,
    retryCount: tracking.failuresInARow,
    photo,
    thumbnailUrl,
  };
}

/** The generation to follow again after a reload; it is asked about at once, whatever state it was left in. */
export function fromSavedGeneration(saved: SavedGeneration, at: number): Tracking {
  return beginTracking(
    {
      generationId: saved.generationId,
      subject: {
        photo: saved.photo,
        thumbnailUrl: saved.thumbnailUrl,
        form: fromVideoSettings(saved.videoSettings),
      },
      startedAt: saved.startTime,
      status: saved.status,
      step: saved.status,
      pollCount: saved.pollCount,
      lastPollAt: saved.lastPollTime,
    },
    at,
  );
}

export function readSavedGeneration(userId: number): Promise<SavedGeneration | null> {
  return readStored(userId, ACTIVE_GENERATION_KEY, savedGeneration);
}

export function saveGeneration(userId: number, tracking: Tracking): Promise<void> {
  return writeStored(userId, ACTIVE_GENERATION_KEY, toSavedGeneration(tracking, Date.now()));
}

export function forgetGeneration(userId: number): Promise<void> {
  return removeStored(userId, ACTIVE_GENERATION_KEY);
}

/** The photo and the choices that were not sent yet, so that a reload loses no work. */
const videoDraft = z.object({ photo: uploadedPhoto, form: videoForm });
export type VideoDraft = z.infer<typeof videoDraft>;

export function readDraft(userId: number): Promise<VideoDraft | null> {
  return readStored(userId, DRAFT_KEY, videoDraft);
}

export function saveDraft(userId: number, draft: VideoDraft): Promise<void> {
  return writeStored(userId, DRAFT_KEY, draft);
}

export function forgetDraft(userId: number): Promise<void> {
  return removeStored(userId, DRAFT_KEY);
}

import * as z from 'zod/mini';
import { createDeviceRecord } from '#pwa/features/generations/device-record.ts';
import type { Followed, Outcome } from '#pwa/features/generations/followed-generation.ts';
import {
  type GenerationTool,
  type OutcomeMessage,
  POLL_FAILED,
  type StartRequest,
} from '#pwa/features/generations/generation-tool.ts';
import { isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { uploadFile } from '#pwa/features/uploads/upload-file.ts';
import type { GenerationResult, GenerationView } from '#shared/contract/generations.ts';
import { PHOTOSESSION_STATUSES, startPhotosession } from '#shared/contract/photosessions.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { PHOTOSESSION_RESTORE_MS } from '#shared/rules/generation-lifecycle.ts';
import { PHOTOSESSION_FRAMES, PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { countImages } from './describe-photosession.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

export type PhotosessionView = Extract<GenerationView, { kind: 'photosession' }>;
export type PhotosessionFrame = GenerationResult;
/** `photo` is null when only the server knows it. */
export interface SessionSubject {
  photo: UploadedPhoto | null;
}
export type FollowedSession = Followed<SessionSubject, PhotosessionView>;

export const SESSION_TITLE = 'Фотосессия';
const SESSION_KEY = 'activePhotoshootSession';

/** The device's record of a running session, with the fields of the specification and the source photo. */
const savedPhotosession = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  status: z.enum(PHOTOSESSION_STATUSES),
  title: z.string(),
  createdAt: z.iso.datetime(),
  photo: z.nullable(uploadedPhoto),
});

const photosessionRecord = createDeviceRecord<SessionSubject, { [SESSION_KEY]: z.infer<typeof savedPhotosession> }>({
  shapes: { [SESSION_KEY]: savedPhotosession },
  encode: ({ generationId, startedAt, subject: { photo } }) => ({
    [SESSION_KEY]: {
      id: generationId,
      status: 'processing',
      title: SESSION_TITLE,
      photo,
      createdAt: new Date(startedAt).toISOString(),
    },
  }),
  decode: ({ [SESSION_KEY]: { id, status, createdAt, photo } }) =>
    status === 'processing' ? { generationId: id, startedAt: Date.parse(createdAt), subject: { photo } } : null,
});

/** The tool that makes five frames of a photo. There is no choice beside the photo. */
export const PHOTOSESSION_TOOL: GenerationTool<null, SessionSubject, PhotosessionView> = {
  kind: 'photosession',
  policy: {
    restoreMs: PHOTOSESSION_RESTORE_MS,
    whenLost: 'release',
    whenItRunsOn: 'follow',
    joinsLater: false,
    unansweredText: POLL_FAILED.description,
    subjectOf: ({ photos: [photo = null] }) => ({ photo }),
  },
  record: photosessionRecord,
  unknownSubject: { photo: null },
  subjectOfStart: ({ photo }) => ({ photo }),
  subjectOfActive: ({ photo }) => ({ photo }),
  toBody,
  async send(request, options) {
    const { sessionId } = await uploadFile(startPhotosession, { fields: toBody(request) }, options);
    return { generationId: sessionId };
  },
  consent: (_form, agreedAt) => ({ slot: 'photosession', price: PHOTOSESSION_PRICE, agreedAt }),
  toOrder: ({ photo }) => ({
    set: { kind: 'photosession', settings: {} },
    photoId: photo.id,
    agreedStars: PHOTOSESSION_PRICE,
  }),
  describeOutcome: describeSessionOutcome,
  startFailedText: PHOTOSESSION_TEXTS.startFailedHint,
  startFailedTitle: PHOTOSESSION_TEXTS.failed,
  startErrorType: 'photosession_start',
  describeRefusedStart(error) {
    if (!isShortOfStars(error)) return undefined;
    return {
      title: PHOTOSESSION_TEXTS.notEnoughStars,
      description: PHOTOSESSION_TEXTS.notEnoughStarsHint,
      tone: 'danger',
    };
  },
};

function toBody({ photo }: StartRequest<null>) {
  return { imageId: photo.id };
}

function describeSessionOutcome(outcome: Outcome, view: PhotosessionView | null): OutcomeMessage {
  const { completed, failed, failedHint, resumed, resumedHint } = PHOTOSESSION_TEXTS;
  switch (outcome.kind) {
    case 'resumed':
      return { toast: { title: resumed, description: resumedHint } };
    case 'completed':
    case 'missing':
      return { toast: { title: completed, description: countImages(view?.results.length ?? 0), tone: 'success' } };
    case 'failed':
      return {
        toast: { title: failed, description: failedHint, tone: 'danger' },
        error: { type: 'photosession', message: outcome.message ?? failedHint },
      };
    case 'unanswered':
    case 'lost':
      return { toast: { ...POLL_FAILED, tone: 'danger' } };
    default:
      return {};
  }
}

/** A place for each frame that the session makes; without an image while it is not ready. */
export function placeFrames(
  images: readonly PhotosessionFrame[],
  positions: readonly number[],
): { position: number; image: PhotosessionFrame | null }[] {
  const places = [...new Set([...positions, ...images.map(({ position }) => position)])].sort((a, b) => a - b);
  return places.map((position) => ({ position, image: images.find((image) => image.position === position) ?? null }));
}

/** The positions of a session that makes all frames. */
export const ALL_POSITIONS = Array.from({ length: PHOTOSESSION_FRAMES }, (_, position) => position);

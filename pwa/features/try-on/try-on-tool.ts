import * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { createDeviceRecord } from '#pwa/features/generations/device-record.ts';
import type { Followed, Outcome } from '#pwa/features/generations/followed-generation.ts';
import {
  type GenerationTool,
  type OutcomeMessage,
  POLL_FAILED,
  type StartRequest,
} from '#pwa/features/generations/generation-tool.ts';
import { isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { startTryOn } from '#shared/contract/try-on.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { DEFAULT_GARMENT_CATEGORY, type GarmentCategory } from '#shared/rules/garments.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';

export type TryOnView = Extract<GenerationView, { kind: 'try_on' }>;

/** The choice beside the photo of the garment. */
export interface TryOnForm {
  person: UploadedPhoto;
  category: GarmentCategory;
}

/** A photo is null when it was not chosen, or only the server knows it. */
export const tryOnDraft = z.extend(tryOnSettings, {
  garment: z.nullable(uploadedPhoto),
  person: z.nullable(uploadedPhoto),
});
export type TryOnDraft = z.infer<typeof tryOnDraft>;
export type FollowedTryOn = Followed<TryOnDraft, TryOnView>;
export const EMPTY_TRY_ON: TryOnDraft = { garment: null, person: null, category: DEFAULT_GARMENT_CATEGORY };

const RECORD_KEY = 'activeTryOn';
const savedTryOn = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  startedAt: z.number().check(z.positive()),
  made: tryOnDraft,
});

const tryOnRecord = createDeviceRecord<TryOnDraft, { [RECORD_KEY]: z.infer<typeof savedTryOn> }>({
  shapes: { [RECORD_KEY]: savedTryOn },
  encode: ({ generationId: id, startedAt, subject: made }) => ({ [RECORD_KEY]: { id, startedAt, made } }),
  decode: ({ [RECORD_KEY]: { id: generationId, startedAt, made: subject } }) => ({ generationId, startedAt, subject }),
});

export const TRY_ON_TOOL: GenerationTool<TryOnForm, TryOnDraft, TryOnView> = {
  kind: 'try_on',
  policy: {
    restoreMs: Number.POSITIVE_INFINITY,
    whenLost: 'release',
    whenItRunsOn: 'follow',
    joinsLater: false,
    unansweredText: POLL_FAILED.description,
    subjectOf: ({ photos: [garment = null, person = null], settings: { category } }) => ({
      garment,
      person,
      category,
    }),
  },
  record: tryOnRecord,
  unknownSubject: EMPTY_TRY_ON,
  subjectOfStart: ({ photo: garment, form }) => ({ garment, ...form }),
  // The first answer of a poll has the person and the category.
  subjectOfActive: ({ photo: garment }) => ({ ...EMPTY_TRY_ON, garment }),
  toBody,
  send: (request, options) => callApi(startTryOn, { body: toBody(request) }, options),
  consent: (form, agreedAt) => ({ slot: 'try_on', choice: writeChoice(form), price: TRY_ON_PRICE, agreedAt }),
  toOrder: ({ photo, form: { person, category } }) => ({
    set: { kind: 'try_on', settings: { category } },
    photoId: photo.id,
    personPhotoId: person.id,
    agreedStars: TRY_ON_PRICE,
  }),
  describeOutcome: describeTryOnOutcome,
  startFailedText: TRY_ON_TEXTS.startFailedHint,
  startFailedTitle: TRY_ON_TEXTS.startFailed,
  startErrorType: 'try_on_start',
  describeRefusedStart(error) {
    if (!isShortOfStars(error)) return undefined;
    const { notEnoughStars: title, notEnoughStarsHint: description } = TRY_ON_TEXTS;
    return { title, description, tone: 'danger' };
  },
};

function toBody({ photo, form }: StartRequest<TryOnForm>) {
  return { garmentImageId: photo.id, ...writeChoice(form) };
}

function writeChoice({ person, category }: TryOnForm) {
  return { personImageId: person.id, category };
}

function describeTryOnOutcome(outcome: Outcome): OutcomeMessage {
  const { failed, failedHint, completed } = TRY_ON_TEXTS;
  switch (outcome.kind) {
    case 'completed':
      return { toast: { title: completed, tone: 'success' } };
    case 'missing':
    case 'failed': {
      const message = outcome.kind === 'failed' ? (outcome.message ?? failedHint) : failedHint;
      return { toast: { title: failed, description: message, tone: 'danger' }, error: { type: 'try_on', message } };
    }
    case 'unanswered':
    case 'lost':
      return { toast: { ...POLL_FAILED, tone: 'danger' } };
    default:
      return {};
  }
}

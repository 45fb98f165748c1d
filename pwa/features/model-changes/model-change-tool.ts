import * as z from 'zod/mini';
import { ApiError } from '#pwa/client/api-error.ts';
import { localizeEngineDay } from '#pwa/client/engine-day.ts';
import { createDeviceRecord } from '#pwa/features/generations/device-record.ts';
import type { EarlyEnd, Followed, Outcome } from '#pwa/features/generations/followed-generation.ts';
import {
  type GenerationTool,
  type OutcomeMessage,
  POLL_FAILED,
  type StartRequest,
} from '#pwa/features/generations/generation-tool.ts';
import { isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { uploadFile } from '#pwa/features/uploads/upload-file.ts';
import { BUY_STARS } from '#pwa/messages.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { backgroundUrl } from './catalogue.ts';
import { CHANGE_TEXTS, MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import { EMPTY_DRAFT, type WizardDraft } from './wizard.ts';

export type ModelChangeView = Extract<GenerationView, { kind: 'model_change' }>;
/** The subject is a photo with the catalogue ids of a model and a background. */
export type FollowedChange = Followed<WizardDraft, ModelChangeView>;

/** The choice beside the photo. */
export interface ChangeForm {
  /** The change that the page has promised. */
  change: Change;
  /** Null when only the background changes. */
  model: CatalogueModel | null;
  background: CatalogueBackground;
}

const REQUEST_KEY = 'changeModelRequestId';
const DATA_KEY = 'changeModelData';

/** The data stored beside the request's id, named by the specification. */
const selectedData = z.object({
  /** Catalogue ids, at most one. */
  selectedModels: z.array(z.string().check(z.minLength(1))).check(z.maxLength(1)),
  selectedBackground: z.nullable(z.string().check(z.minLength(1))),
  photo: z.nullable(uploadedPhoto),
  /** The time of the start, in milliseconds since 1970. */
  timestamp: z.number().check(z.positive()),
});

const modelChangeRecord = createDeviceRecord<
  WizardDraft,
  { [DATA_KEY]: z.infer<typeof selectedData>; [REQUEST_KEY]: string }
>({
  shapes: { [DATA_KEY]: selectedData, [REQUEST_KEY]: z.string().check(z.minLength(1), z.maxLength(64)) },
  encode: ({ generationId, subject: { photo, modelId, backgroundId }, startedAt }) => ({
    [DATA_KEY]: {
      selectedModels: modelId === null ? [] : [modelId],
      selectedBackground: backgroundId,
      photo,
      timestamp: startedAt,
    },
    [REQUEST_KEY]: generationId,
  }),
  decode: ({ [DATA_KEY]: data, [REQUEST_KEY]: generationId }) => ({
    generationId,
    subject: { photo: data.photo, modelId: data.selectedModels[0] ?? null, backgroundId: data.selectedBackground },
    startedAt: data.timestamp,
  }),
});

/** The tool for models and backgrounds, with the texts for this kind of change. */
export function createModelChangeTool(
  change: Change,
  onBuyStars: () => void,
): GenerationTool<ChangeForm, WizardDraft, ModelChangeView> {
  const texts = CHANGE_TEXTS[change];
  return {
    kind: 'model_change',
    policy: {
      restoreMs: Number.POSITIVE_INFINITY,
      whenLost: 'release',
      whenItRunsOn: 'release',
      joinsLater: false,
      unansweredText: POLL_FAILED.description,
      subjectOf: ({ photos: [photo = null], settings: { modelId, backgroundId } }) => ({
        photo,
        modelId,
        backgroundId,
      }),
    },
    record: modelChangeRecord,
    unknownSubject: EMPTY_DRAFT,
    subjectOfStart: ({ photo, form: { model, background } }) => ({
      photo,
      modelId: model?.id ?? null,
      backgroundId: background.id,
    }),
    // The first answer of a poll names the model and the background.
    subjectOfActive: ({ photo }) => ({ ...EMPTY_DRAFT, photo }),
    toBody,
    async send(request, options) {
      const answer = await uploadFile(startModelChange, { fields: toBody(request) }, options);
      return { generationId: answer.request_id, early: readEarlyEnd(answer) };
    },
    consent: (form, agreedAt) => ({
      slot: 'model_change',
      fields: writeFields(form),
      price: MODEL_CHANGE_PRICE,
      agreedAt,
    }),
    toOrder: ({ photo, form: { model, background } }) => ({
      set: {
        kind: 'model_change',
        settings: { modelId: model?.id ?? null, backgroundId: background.id, agreedChange: change },
      },
      photoId: photo.id,
      agreedStars: MODEL_CHANGE_PRICE,
    }),
    describeOutcome: describeChangeOutcome,
    startFailedText: texts.startFailedHint,
    startFailedTitle: MODEL_CHANGE_TEXTS.startFailed,
    startErrorType: 'model_change_start',
    describeRefusedStart(error) {
      if (isShortOfStars(error)) {
        return {
          title: MODEL_CHANGE_TEXTS.notEnoughStars,
          description: texts.notEnoughStarsHint,
          tone: 'danger',
          action: { label: BUY_STARS, onSelect: onBuyStars },
        };
      }
      // A refused paid background opens an offer to pay instead of a toast.
      return error instanceof ApiError && error.code === 'premium_background' ? null : undefined;
    },
  };
}

function toBody({ photo, form }: StartRequest<ChangeForm>) {
  return { imageId: photo.id, ...writeFields(form) };
}

function writeFields({ change, model, background }: ChangeForm) {
  return {
    ...(model && { modelImageUrl: model.imageUrl }),
    backgroundImageUrl: backgroundUrl(background),
    agreedChange: change,
  };
}

type StartAnswer = z.infer<(typeof startModelChange)['answer']>;

/** Reads the end from the answer to a repeated start; null when there is none. */
export function readEarlyEnd({ status, result_url: url, stars_spent: starsSpent }: StartAnswer): EarlyEnd | null {
  if (status === 'QUEUED') return null;
  return { status: status === 'COMPLETED' ? 'completed' : 'failed', url, starsSpent };
}

function describeChangeOutcome(outcome: Outcome): OutcomeMessage {
  const { failed, failedHint, resultMissing, startFailed } = MODEL_CHANGE_TEXTS;
  switch (outcome.kind) {
    case 'missing':
      return describeFailedEnd(startFailed, resultMissing);
    case 'failed':
      return describeFailedEnd(failed, localizeEngineDay(outcome.message ?? failedHint));
    case 'unanswered':
    case 'lost':
      return { toast: { ...POLL_FAILED, tone: 'danger' } };
    default:
      // The result is shown on the page itself.
      return {};
  }
}

function describeFailedEnd(title: string, message: string): OutcomeMessage {
  return { toast: { title, description: message, tone: 'danger' }, error: { type: 'model_change', message } };
}

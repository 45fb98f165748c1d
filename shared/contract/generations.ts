import * as z from 'zod/mini';
import { GENERATION_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';
import { garmentCheck, REROLL_STATES } from './garment-checks.ts';
import { failureCode, resultLoss } from './generation-outcomes.ts';
import { byId } from './ids.ts';
import { modelChangeSettings } from './model-change-settings.ts';
import { progress } from './progress.ts';
import { reportState } from './report-state.ts';
import { resultName } from './result-name.ts';
import { START_ERRORS } from './start-errors.ts';
import { tryOnSettings } from './try-on-settings.ts';
import { uploadedPhoto } from './uploads.ts';
import { storedVideoSettings } from './video-settings.ts';

/** A start that is repeated with the same key gets the same answer. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** The agreed price: stars for a start, kopecks for an invoice. Another price is refused. */
export const AGREED_PRICE_HEADER = 'x-agreed-price';

export const cancelGeneration = defineEndpoint({
  method: 'POST',
  path: '/api/generations/:id/cancel',
  summary: 'Stops a generation where that is still possible',
  access: 'account',
  params: byId,
  answer: z.object({
    /** `runs_on`: the remote engine continues, and the result will be in the gallery. */
    outcome: z.enum(['cancelled', 'runs_on']),
    message: z.string(),
  }),
  errors: ['generation_not_found', 'generation_forbidden', 'generation_finished', 'unavailable'],
});

/** Free, once a generation, for the drifted outputs only. A repeat answers the same re-roll, unless that has failed. */
export const rerollGeneration = defineEndpoint({
  method: 'POST',
  path: '/api/generations/:id/reroll',
  summary: 'Makes the results again whose garment has drifted, free of charge',
  access: 'verified',
  params: byId,
  answer: z.object({ generationId: z.string() }),
  errors: [
    'generation_not_found',
    'generation_forbidden',
    'reroll_not_offered',
    ...START_ERRORS,
    'video_length_unavailable',
    'aspect_ratio_unavailable',
    'change_differs',
  ],
});

/** Of all lost results of the generation. A repeat changes nothing and answers the same. */
export const returnLostStars = defineEndpoint({
  method: 'POST',
  path: '/api/generations/:id/return-lost-stars',
  summary: 'Returns the stars of results whose files are lost, after looking for them once more',
  access: 'account',
  params: byId,
  answer: z.object({
    stars: z.int(),
    message: z.string(),
  }),
  errors: [
    'generation_not_found',
    'generation_forbidden',
    'result_not_lost',
    'loss_generation_runs',
    'loss_costs_nothing',
    'storage_unavailable',
    'unavailable',
  ],
});

const generationResult = z.object({
  id: z.string(),
  ...resultName,
  /** URL of the full size: the original after a payment, otherwise the copy with the logo. */
  url: z.string(),
  /** URL of a preview in WebP. For a video it is the first frame. */
  previewUrl: z.string(),
  isWatermarked: z.boolean(),
  width: z.int(),
  height: z.int(),
  /** Length of a video. Null for a picture. */
  durationSeconds: z.nullable(z.number()),
  /** Null when the garment is not compared: the engine draws nothing anew, or the check is off. */
  garmentCheck: z.nullable(garmentCheck),
  report: z.nullable(reportState),
  /** Absent while its file is there. */
  loss: z.optional(resultLoss),
});
export type GenerationResult = z.infer<typeof generationResult>;

const anyGeneration = {
  id: z.string(),
  /** The batch that it was started for. Null when a person started it. */
  batchId: z.nullable(z.string()),
  /** What it really makes. A change of model may change only the background. */
  made: z.enum(RESULT_KINDS),
  status: z.enum(GENERATION_STATUSES),
  createdAt: z.iso.datetime(),
  /** The source photos, in the order of the tool. Null for one that its owner has deleted. */
  photos: z.array(z.nullable(uploadedPhoto)),
  progress,
  /** Null unless it has failed. The code is stable, and the message is for people. */
  failure: z.nullable(
    z.object({
      code: failureCode,
      message: z.string(),
    }),
  ),
  /** In order of position, without deleted ones. For an unfinished generation, the results that are ready. */
  results: z.array(generationResult),
  /** Stars that are held or were finally spent: 0 after a failure and for a re-roll, fewer if less was made. */
  starsSpent: z.int(),
  /** Indexes of the outputs that it makes, from 0. A re-roll makes only those that had drifted. */
  positions: z.array(z.int()),
  /** `offered` only when all results are compared. `used`: `rerolledBy` says by which generation. */
  reroll: z.enum(REROLL_STATES),
  /** The generation whose drifted results this one makes again. Null for an ordinary one. */
  rerollOf: z.nullable(z.string()),
  rerolledBy: z.nullable(z.string()),
};

export const generationView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), ...anyGeneration, settings: storedVideoSettings }),
  z.object({ kind: z.literal('model_change'), ...anyGeneration, settings: modelChangeSettings }),
  z.object({ kind: z.literal('photosession'), ...anyGeneration, settings: z.object({}) }),
  z.object({ kind: z.literal('try_on'), ...anyGeneration, settings: tryOnSettings }),
]);
export type GenerationView = z.infer<typeof generationView>;

export const getGeneration = defineEndpoint({
  method: 'GET',
  path: '/api/generations/:id',
  summary: 'A generation of any kind: how far it is, what it has made, why it has failed',
  access: 'account',
  params: byId,
  answer: generationView,
  errors: ['generation_not_found', 'generation_forbidden', 'unavailable'],
});

/** The body is the provider's. Its adapter reads the raw bytes. */
export const receiveEngineNotification = defineEndpoint({
  method: 'POST',
  path: '/api/engines/:name/:secret',
  summary: 'A provider says that a job has ended',
  access: 'public',
  params: z.object({ name: z.string().check(z.maxLength(32)), secret: z.string().check(z.maxLength(128)) }),
  body: z.unknown(),
  answer: z.object({ received: z.literal(true) }),
  errors: ['route_not_found', 'forbidden'],
});

import { z } from 'zod';
import { GENERATION_FAILURES, GENERATION_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { progress } from './progress.ts';
import { uploadedPhoto } from './uploads.ts';
import { videoSettings } from './video-settings.ts';

/** A start that is sent again with the same key is answered like the first one. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** The agreed price: stars for a start, kopecks for an invoice. Another price is refused. */
export const AGREED_PRICE_HEADER = 'x-agreed-price';

/** Why a generation of any kind may not start. */
export const START_ERRORS = [
  'email_not_verified',
  'photo_not_found',
  'photo_forbidden',
  'not_enough_stars',
  'price_changed',
  'active_generation',
  'idempotency_key_reused',
  'too_many_requests',
] as const satisfies ErrorCode[];

export const cancelGeneration = defineEndpoint({
  method: 'POST',
  path: '/api/generations/:id/cancel',
  summary: 'Stops a generation where that is still possible',
  access: 'account',
  params: z.object({ id: z.string().min(1).max(64) }),
  answer: z.object({
    /**
     * `cancelled`: stopped, the stars are returned. `runs_on`: the remote engine goes on, the result will be in the
     * gallery.
     */
    outcome: z.enum(['cancelled', 'runs_on']),
    message: z.string(),
  }),
  errors: ['generation_not_found', 'generation_forbidden', 'generation_finished'],
});

/** One file that a generation has made, as its owner may see it now. */
const generationResult = z.object({
  id: z.string(),
  /** From 0; files may be ready out of order. */
  position: z.int(),
  /** Of the bytes in full size: the original after a payment, else the copy with the logo. */
  url: z.string(),
  /** A picture of it, in WebP; of a video the first frame. */
  previewUrl: z.string(),
  isWatermarked: z.boolean(),
  width: z.int(),
  height: z.int(),
  /** Of a video; null for a picture. */
  durationSeconds: z.number().nullable(),
});
export type GenerationResult = z.infer<typeof generationResult>;

/** The fields of a generation of any kind. */
const anyGeneration = {
  id: z.string(),
  /** What it really makes: a change of model may be one of the background alone. */
  made: z.enum(RESULT_KINDS),
  status: z.enum(GENERATION_STATUSES),
  createdAt: z.iso.datetime(),
  /** What it is made from. */
  photos: z.array(uploadedPhoto),
  progress,
  /** Null unless it has failed. The code is stable, the message is for people. */
  failure: z
    .object({
      code: z.enum(Object.keys(GENERATION_FAILURES) as [keyof typeof GENERATION_FAILURES]),
      message: z.string(),
    })
    .nullable(),
  /** In the order of their positions, without those that their owner has deleted; of an unfinished one what is ready. */
  results: z.array(generationResult),
  /** Stars that are held or were spent in the end: none after a failure, fewer where less was made. */
  starsSpent: z.int(),
};

/** One generation, with what was chosen for it. */
export const generationView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), ...anyGeneration, settings: videoSettings.partial() }),
  z.object({
    kind: z.literal('model_change'),
    ...anyGeneration,
    settings: z.object({
      /** Null where nobody was put in. */
      modelId: z.string().nullable(),
      backgroundId: z.string(),
      /** False where the person of the photo was kept and only the background changed. */
      isModelReplaced: z.boolean(),
    }),
  }),
  z.object({ kind: z.literal('photosession'), ...anyGeneration, settings: z.object({}) }),
]);
export type GenerationView = z.infer<typeof generationView>;

export const getGeneration = defineEndpoint({
  method: 'GET',
  path: '/api/generations/:id',
  summary: 'A generation of any kind: how far it is, what it has made, why it has failed',
  access: 'account',
  params: z.object({ id: z.string().min(1).max(64) }),
  answer: generationView,
  errors: ['generation_not_found', 'generation_forbidden', 'unavailable'],
});

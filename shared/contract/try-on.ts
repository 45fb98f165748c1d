import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';
import { START_ERRORS } from './generations.ts';
import { tryOnSettings } from './try-on-settings.ts';

const photoId = z.string().check(z.minLength(1), z.maxLength(64));

/** Both photos are uploaded already. */
export const tryOnRequest = z.extend(tryOnSettings, {
  garmentImageId: photoId,
  /** Shows who puts the garment on. Another photo than the garment's. */
  personImageId: photoId,
});

export const startTryOn = defineEndpoint({
  method: 'POST',
  path: '/api/try-on',
  summary: 'Holds a star and starts a try-on; repeatable with the same Idempotency-Key',
  access: 'verified',
  body: tryOnRequest,
  answer: z.object({ generationId: z.string() }),
  errors: START_ERRORS,
});

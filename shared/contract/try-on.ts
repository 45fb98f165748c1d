import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';
import { idText } from './ids.ts';
import { START_ERRORS } from './start-errors.ts';
import { tryOnSettings } from './try-on-settings.ts';

/** Both photos are uploaded already. */
export const tryOnRequest = z.extend(tryOnSettings, {
  garmentImageId: idText,
  /** Shows who puts the garment on. Another photo than the garment's. */
  personImageId: idText,
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

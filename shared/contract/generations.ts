import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

/** A start that is sent again with the same key is answered like the first one. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** The price that was agreed to: of a start in stars, of an invoice in kopecks. Another one is refused. */
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
    /** `cancelled`: stopped, the stars are back. `runs_on`: the remote engine goes on, the result will be in the gallery. */
    outcome: z.enum(['cancelled', 'runs_on']),
    message: z.string(),
  }),
  errors: ['generation_not_found', 'generation_forbidden', 'generation_finished'],
});

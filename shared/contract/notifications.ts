import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';

/** Enough for the generations of one page. */
export const SEEN_MAX = 100;

export const markSeen = defineEndpoint({
  method: 'POST',
  path: '/api/notifications/seen',
  summary: 'The person has seen how these generations ended',
  access: 'account',
  body: z.object({ generationIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(SEEN_MAX)) }),
  answer: z.object({ unseen: z.int() }),
  errors: ['generation_not_found', 'generation_forbidden'],
});
/** Number of the newest results in an answer. */
export const NEW_RESULTS_MAX = 10;
const newResult = z.object({
  generationId: z.string(),
  kind: z.enum(GENERATION_KINDS),
  /** What it really is. */
  made: z.enum(RESULT_KINDS),
  finishedAt: z.iso.datetime(),
});
export type NewResult = z.infer<typeof newResult>;
const unseen = z.object({ unseen: z.int(), results: z.array(newResult) });
export type Unseen = z.infer<typeof unseen>;

export const getUnseen = defineEndpoint({
  method: 'GET',
  path: '/api/notifications/unseen',
  summary: 'Ended generations whose end nobody has seen, and the newest results among them',
  access: 'account',
  answer: unseen,
});

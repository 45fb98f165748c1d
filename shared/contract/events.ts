import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { defineEndpoint } from './endpoint.ts';

/**
 * A stream of events: `generation`, `batch`, `pack` or `balance` says that something of the account has changed; the new state
 * has to be fetched. `gap`: events may have been lost. `end`: the session has ended, and the stream with it.
 */
export const streamEvents = defineEndpoint({
  method: 'GET',
  path: '/api/events',
  summary: 'Account events of the caller, as server-sent events',
  access: 'account',
  errors: ['too_many_requests', 'unavailable'],
});

export const STREAM_EVENTS = ['generation', 'batch', 'pack', 'balance', 'gap', 'end'] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];

export const streamEventData = z.object({
  /** Of the generation, the batch or the pack. */
  id: z.optional(z.uuid()),
  /** The batch that the generation belongs to. */
  batchId: z.optional(z.uuid()),
  /** Undefined for a kind that only a newer server knows. */
  kind: z.catch(z.optional(z.enum(GENERATION_KINDS)), undefined),
});
export type StreamEventData = z.infer<typeof streamEventData>;

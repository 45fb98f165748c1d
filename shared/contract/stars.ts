import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';
import { failureCode } from './generation-outcomes.ts';

export const getStarBalance = defineEndpoint({
  method: 'GET',
  path: '/api/stars/balance',
  summary: 'Stars that can be spent now: stars held by running generations are already taken off',
  access: 'account',
  answer: z.object({ balance: z.int() }),
});

export const STAR_ENTRY_KINDS = [
  'signup_bonus',
  'hold',
  'capture',
  'release',
  'purchase',
  'refund',
  'correction',
  'interview_bonus',
  'transfer',
] as const;

/** Roubles, and Telegram Stars for payments in the bot. */
export const CURRENCIES = ['RUB', 'XTR'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const STAR_HISTORY_MAX_LIMIT = 100;

export const starEntry = z.object({
  id: z.string(),
  /** `hold` while the generation runs, or when a `release` returned its stars. `capture` when they were spent. */
  kind: z.enum(STAR_ENTRY_KINDS),
  /** Change of the balance, never 0. For a capture: the hold minus what was returned. */
  delta: z.int(),
  /** For a capture: stars of its hold that were returned, because only a part was made. */
  returned: z.int(),
  balance: z.int(),
  createdAt: z.iso.datetime(),
  generation: z.nullable(
    z.object({
      id: z.uuid(),
      kind: z.enum(GENERATION_KINDS),
      made: z.enum(RESULT_KINDS),
      failureCode: z.nullable(failureCode),
    }),
  ),
  payment: z.nullable(
    z.object({
      id: z.uuid(),
      packageName: z.string(),
      /** In the payment's currency. */
      amountRub: z.number(),
      currency: z.enum(CURRENCIES),
      /** The shop was a test shop: no money moved. */
      isTest: z.boolean(),
    }),
  ),
  note: z.nullable(z.string()),
});
export type StarHistoryEntry = z.infer<typeof starEntry>;

export const listStarHistory = defineEndpoint({
  method: 'GET',
  path: '/api/stars/history',
  summary: 'What moved the account’s stars, newest first; a hold and its capture are one row',
  access: 'account',
  query: z.object({
    cursor: z.optional(z.string().check(z.regex(/^\d{1,18}$/))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(STAR_HISTORY_MAX_LIMIT)), 50),
  }),
  answer: z.object({ entries: z.array(starEntry), nextCursor: z.nullable(z.string()) }),
});

import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';

const ENDPOINT_MAX_LENGTH = 1024;

const pushEndpoint = z.url({ protocol: /^https$/ }).check(z.maxLength(ENDPOINT_MAX_LENGTH));

export const subscribeBody = z.object({
  endpoint: pushEndpoint,
  keys: z.object({
    /** An uncompressed point of P-256 (65 bytes) and a 16-byte secret, both base64url. */
    p256dh: z.string().check(z.regex(/^B[\w-]{86}=?$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}(==)?$/)),
  }),
  replaces: z.optional(pushEndpoint),
});
export type SubscribeBody = z.infer<typeof subscribeBody>;

export const getPushKey = defineEndpoint({
  method: 'GET',
  path: '/api/notifications/public-key',
  summary: 'The key that a browser subscribes with',
  access: 'public',
  answer: z.object({ publicKey: z.string() }),
});
export const subscribeToPush = defineEndpoint({
  method: 'POST',
  path: '/api/notifications/devices',
  summary: 'Binds a browser’s subscription to the caller’s session; the same again changes nothing',
  access: 'account',
  body: subscribeBody,
  answer: z.object({ id: z.uuid() }),
  errors: ['push_service_unknown', 'too_many_requests'],
});

export const pushDevice = z.object({
  id: z.uuid(),
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  /** When a message was last handed over. Null for never. */
  lastSentAt: z.nullable(z.iso.datetime()),
  isCurrent: z.boolean(),
});
export type PushDevice = z.infer<typeof pushDevice>;

export const listPushDevices = defineEndpoint({
  method: 'GET',
  path: '/api/notifications/devices',
  summary: 'Browsers that are told of results, the caller’s own first',
  access: 'account',
  answer: z.object({ devices: z.array(pushDevice) }),
});
export const removePushDevice = defineEndpoint({
  method: 'DELETE',
  path: '/api/notifications/devices/:id',
  summary: 'This browser is told of results no more',
  access: 'account',
  params: z.object({ id: z.uuid() }),
  errors: ['push_device_not_found', 'push_device_forbidden'],
});

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

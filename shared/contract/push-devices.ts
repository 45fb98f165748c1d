import * as z from 'zod/mini';
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

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import webPush from 'web-push';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import { createWebPushSender } from '#api/adapters/push/web-push-sender.ts';
import { type FakePushService, startFakePushService } from '#tests/support/fake-push-service.ts';

/** A push service accepts 4096 encrypted bytes, which leaves this much text. */
const PUSH_MESSAGE_MAX_BYTES = 3993;

const vapid = { ...webPush.generateVAPIDKeys(), subject: 'mailto:push@podium.example' };
const MESSAGE = { body: '{"title":"Видео готово"}', ttlSeconds: 86_400, topic: 'a'.repeat(32) };
let service: FakePushService;
let sender: PushSender;

beforeAll(async () => {
  service = await startFakePushService();
  sender = createSender();
});
afterEach(() => service.answer({ status: 201 }));
afterAll(async () => {
  sender.close();
  await service.close();
});

const createSender = (options: { timeoutMs?: number } = {}) =>
  createWebPushSender({ vapid, hosts: [service.host], certificateAuthority: service.certificate, ...options });

function subscribe() {
  const { endpoint, keys } = service.subscribe();
  return { endpoint, ...keys };
}

test('the browser reads what was sent, and its push service knows from whom and for how long', async () => {
  const address = subscribe();
  expect(await sender.send(address, MESSAGE)).toEqual({ state: 'sent' });
  const [message] = service.messages.filter(({ endpoint }) => endpoint === address.endpoint);
  expect(message).toMatchObject({
    text: MESSAGE.body,
    vapid: { sub: vapid.subject },
    senderKey: sender.publicKey,
    headers: { ttl: '86400', urgency: 'normal', topic: MESSAGE.topic, 'content-encoding': 'aes128gcm' },
  });
});

test('the longest message fits into what push services take', async () => {
  const address = subscribe();
  await sender.send(address, { ...MESSAGE, body: 'x'.repeat(PUSH_MESSAGE_MAX_BYTES) });
  const [message] = service.messages.filter(({ endpoint }) => endpoint === address.endpoint);
  expect(message?.text).toHaveLength(PUSH_MESSAGE_MAX_BYTES);
  expect(message?.size).toBeLessThanOrEqual(4096);
});

test.each([404, 410])('%i says that the subscription has ended', async (status) => {
  service.answer({ status });
  expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ state: 'gone' });
});

test.each([400, 401, 403, 413])('%i says that this message is refused', async (status) => {
  service.answer({ status });
  expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ state: 'refused' });
});

test.each([408, 429, 500, 503])('%i says that the message should be tried later', async (status) => {
  service.answer({ status });
  expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ state: 'busy', retryAfterSeconds: null });
});

test('the pause that a service asks for is passed on, given in seconds or as a date', async () => {
  service.answer({ status: 429, headers: { 'retry-after': '120' } });
  expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ state: 'busy', retryAfterSeconds: 120 });
  service.answer({ status: 503, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } });
  const outcome = await sender.send(subscribe(), MESSAGE);
  if (outcome.state !== 'busy') throw new Error(outcome.state);
  expect(outcome.retryAfterSeconds).toBeGreaterThan(50);
  expect(outcome.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('a service that does not answer is given up in time', async () => {
  // It never answers.
  service.answer('hang');
  // A busy machine may need longer for the other messages.
  const hasty = createSender({ timeoutMs: 1000 });
  expect(await hasty.send(subscribe(), MESSAGE)).toMatchObject({ state: 'busy' });
  hasty.close();
});

test('a redirect is not followed', async () => {
  const elsewhere = subscribe();
  service.answer({ status: 307, headers: { location: elsewhere.endpoint } });
  expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ state: 'refused' });
  expect(service.requests).not.toContain(elsewhere.endpoint);
});

test('a service with an untrusted certificate gets nothing', async () => {
  const strict = createWebPushSender({ vapid, hosts: [service.host] });
  const address = subscribe();
  expect(await strict.send(address, MESSAGE)).toMatchObject({ state: 'busy' });
  expect(service.requests).not.toContain(address.endpoint);
  strict.close();
});

test('an address that is not on the list of push services is not written to', async () => {
  const other = createWebPushSender({
    vapid,
    hosts: ['push.example.com'],
    certificateAuthority: service.certificate,
  });
  const address = subscribe();
  expect(await other.send(address, MESSAGE)).toMatchObject({ state: 'gone' });
  expect(service.requests).not.toContain(address.endpoint);
  other.close();
});

test('unusable keys end the subscription', async () => {
  const address = { ...subscribe(), p256dh: `B${'A'.repeat(86)}` };
  expect(await sender.send(address, MESSAGE)).toMatchObject({ state: 'gone' });
});

import { expect, test } from 'vitest';
import { issueCode } from '#api/services/accounts/email-codes.ts';
import { PUSH_DEVICES_MAX } from '#api/services/notices/push-subscriptions.ts';
import { useNoticeStudio } from '#tests/support/notice-studio.ts';
import { nextAddress, type Person, sessionCookieOf } from '#tests/support/people.ts';

const studio = useNoticeStudio();
const DEVICES = '/api/notifications/devices';

async function devicesOf(person: Pick<Person, 'cookie'>) {
  return (await studio.call(person, 'GET', DEVICES)).json().devices;
}

async function signIn({ email, password }: Person): Promise<{ cookie: string }> {
  const payload = { email, password };
  const answer = await studio.testApp.server.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress: nextAddress(),
    payload,
  });
  return { cookie: sessionCookieOf(answer) };
}

test('the key to subscribe with is the sender’s, for everybody', async () => {
  const answer = await studio.call({ cookie: '' }, 'GET', '/api/notifications/public-key');
  expect(answer.json()).toEqual({ publicKey: studio.testApp.app.push.publicKey });
});

test('a visitor cannot subscribe, list, see or mark', async () => {
  const visitor = { cookie: '' };
  const subscription = studio.pushService.subscribe();
  expect((await studio.call(visitor, 'POST', DEVICES, subscription)).statusCode).toBe(401);
  expect((await studio.call(visitor, 'GET', DEVICES)).statusCode).toBe(401);
  expect((await studio.call(visitor, 'GET', '/api/notifications/unseen')).statusCode).toBe(401);
  expect((await studio.call(visitor, 'POST', '/api/notifications/seen', {})).statusCode).toBe(401);
});

test('a browser that subscribes repeatedly has one subscription', async () => {
  const person = await studio.signUp();
  const subscription = studio.pushService.subscribe();
  const ids = [];
  for (let round = 0; round < 3; round++) {
    ids.push((await studio.call(person, 'POST', DEVICES, subscription)).json().id);
  }
  expect(new Set(ids).size).toBe(1);
  expect(await devicesOf(person)).toMatchObject([{ id: ids[0], isCurrent: true, lastSentAt: null }]);
});

test('the list tells no address and no key', async () => {
  const person = await studio.signUp();
  const endpoint = await studio.subscribe(person);
  expect(JSON.stringify(await devicesOf(person))).not.toContain(endpoint.slice(-12));
});

test.each([
  'https://push.example.com/abc',
  'https://127.0.0.1/abc',
  'https://localhost:3000/api/logout',
  'https://169.254.169.254/latest/meta-data',
])('%s is refused: it is no push service', async (endpoint) => {
  const person = await studio.signUp();
  const answer = await studio.call(person, 'POST', DEVICES, { ...studio.pushService.subscribe(), endpoint });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'push_service_unknown']);
  expect(await devicesOf(person)).toEqual([]);
});

test('a body that is no subscription is refused', async () => {
  const person = await studio.signUp();
  const { endpoint, keys } = studio.pushService.subscribe();
  const bodies = [
    { endpoint },
    { endpoint: endpoint.replace('https', 'http'), keys },
    { endpoint, keys: { ...keys, auth: 'short' } },
    { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
    { endpoint: `${endpoint}${'x'.repeat(1100)}`, keys },
  ];
  for (const body of bodies) expect((await studio.call(person, 'POST', DEVICES, body)).statusCode).toBe(400);
});

test(`of more than ${PUSH_DEVICES_MAX} browsers the first ones make room, also when they come at once`, async () => {
  const person = await studio.signUp();
  const first = await studio.subscribe(person);
  await Promise.all(Array.from({ length: PUSH_DEVICES_MAX + 2 }, () => studio.subscribe(person)));
  expect(await devicesOf(person)).toHaveLength(PUSH_DEVICES_MAX);
  expect(await studio.testApp.app.db.pushSubscription.count({ where: { endpoint: first } })).toBe(0);
});

test('a renewed subscription takes the place of the former', async () => {
  const person = await studio.signUp();
  const replaces = await studio.subscribe(person);
  await studio.call(person, 'POST', DEVICES, { ...studio.pushService.subscribe(), replaces });
  expect(await devicesOf(person)).toHaveLength(1);
  expect(await studio.testApp.app.db.pushSubscription.count({ where: { endpoint: replaces } })).toBe(0);
});

test('nobody replaces or removes a subscription of somebody else', async () => {
  const owner = await studio.signUp();
  const endpoint = await studio.subscribe(owner);
  const [device] = await devicesOf(owner);
  const stranger = await studio.signUp();
  await studio.call(stranger, 'POST', DEVICES, { ...studio.pushService.subscribe(), replaces: endpoint });
  expect((await studio.call(stranger, 'DELETE', `${DEVICES}/${device.id}`)).statusCode).toBe(403);
  expect(await devicesOf(owner)).toHaveLength(1);
  expect((await studio.call(owner, 'DELETE', `${DEVICES}/${device.id}`)).statusCode).toBe(204);
  expect((await studio.call(owner, 'DELETE', `${DEVICES}/${device.id}`)).json().code).toBe('push_device_not_found');
  expect(await devicesOf(owner)).toEqual([]);
});

test('signing out unsubscribes this browser and no other', async () => {
  const person = await studio.signUp();
  await studio.subscribe(person);
  const elsewhere = await signIn(person);
  await studio.subscribe(elsewhere);
  await studio.call(person, 'POST', '/api/logout', {});
  expect(await devicesOf(elsewhere)).toMatchObject([{ isCurrent: true }]);
});

test('a new session of the same browser and account keeps its subscription', async () => {
  const person = await studio.signUp();
  const endpoint = await studio.subscribe(person);
  const payload = { email: person.email, password: person.password };
  const answer = await studio.testApp.server.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress: nextAddress(),
    headers: { cookie: person.cookie },
    payload,
  });
  const renewed = { cookie: sessionCookieOf(answer) };
  expect(await devicesOf(renewed)).toMatchObject([{ isCurrent: true }]);

  const other = await studio.signUp();
  await studio.testApp.server.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress: nextAddress(),
    headers: { cookie: renewed.cookie },
    payload: { email: other.email, password: other.password },
  });
  expect(await studio.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(0);
});

test('a new password ends the subscriptions of other browsers and keeps the one of this browser', async () => {
  const person = await studio.signUp();
  await studio.subscribe(person);
  const endpoint = await studio.subscribe(await signIn(person));
  const kept = await devicesOf(person);
  const renewals = [
    { url: '/api/account/password', payload: { currentPassword: person.password, newPassword: 'another-password' } },
    { url: '/api/password-reset', payload: { email: person.email, code: '', password: 'a-third-password' } },
  ];
  let { cookie } = person;
  for (const { url, payload } of renewals) {
    if ('code' in payload) {
      const account = { accountId: person.account.id, purpose: 'reset_password' } as const;
      const { app } = studio.testApp;
      payload.code = (await app.db.$transaction((tx) => issueCode(tx, app.config, account))).code;
    }
    const answer = await studio.testApp.server.inject({
      method: 'POST',
      url,
      remoteAddress: nextAddress(),
      headers: { cookie },
      payload,
    });
    cookie = sessionCookieOf(answer);
    expect(await devicesOf({ cookie })).toMatchObject([
      { id: kept.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id, isCurrent: true },
    ]);
  }
  expect(await studio.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(0);
});

test('an ended generation counts as unseen until its owner has seen it', async () => {
  const person = await studio.signUp();
  const stranger = await studio.signUp();
  const unseenOf = async (who: Person) => (await studio.call(who, 'GET', '/api/notifications/unseen')).json().unseen;
  const seen = (who: Person, body: object) => studio.call(who, 'POST', '/api/notifications/seen', body);
  const video = await studio.finish(person, 'video');
  const change = await studio.finish(person, 'model_change', 'failed');
  const session = await studio.finish(person, 'photosession');
  expect(await unseenOf(person)).toBe(3);
  await seen(stranger, { generationIds: [video] });
  expect(await unseenOf(person)).toBe(3);
  expect((await seen(person, { generationIds: [video] })).json()).toEqual({ unseen: 2 });
  expect((await seen(person, { generationIds: [video, change, session] })).json()).toEqual({ unseen: 0 });
  expect((await seen(person, {})).statusCode).toBe(400);
});

test('a failure that nobody has seen counts for a day, a result until it is seen', async () => {
  const person = await studio.signUp();
  const ids = [await studio.finish(person, 'video', 'failed'), await studio.finish(person)];
  const aDayAgo = new Date(Date.now() - 24 * 3_600_000 - 1000);
  await studio.testApp.app.db.generation.updateMany({ where: { id: { in: ids } }, data: { finishedAt: aDayAgo } });
  expect((await studio.call(person, 'GET', '/api/notifications/unseen')).json()).toMatchObject({
    unseen: 1,
    results: [{ generationId: ids[1], kind: 'video', made: 'video', finishedAt: aDayAgo.toISOString() }],
  });
});

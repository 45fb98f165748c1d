import { expect, test } from 'vitest';
import { issueCode } from '#api/services/accounts/email-codes.ts';
import { PUSH_DEVICES_MAX } from '#api/services/notices/push-subscriptions.ts';
import { useNoticeHarness } from '#tests/support/notice-harness.ts';
import { logIn, nextAddress, type Person, sessionCookieOf } from '#tests/support/people.ts';

const harness = useNoticeHarness();
const DEVICES = '/api/notifications/devices';

async function devicesOf(person: Pick<Person, 'cookie'>) {
  return (await harness.call(person, 'GET', DEVICES)).json().devices;
}

/** In another browser, or in that of this cookie. */
async function signIn(person: Person, cookie = ''): Promise<{ cookie: string }> {
  return { cookie: sessionCookieOf(await logIn(harness.testApp, person, { cookie })) };
}

test('the key to subscribe with is the sender’s, for everybody', async () => {
  const answer = await harness.call({ cookie: '' }, 'GET', '/api/notifications/public-key');
  expect(answer.json()).toEqual({ publicKey: harness.testApp.app.push.publicKey });
});

test('a browser that subscribes repeatedly has one subscription', async () => {
  const person = await harness.signUp();
  const subscription = harness.pushService.subscribe();
  const ids = [];
  for (let round = 0; round < 3; round++) {
    ids.push((await harness.call(person, 'POST', DEVICES, subscription)).json().id);
  }
  expect(new Set(ids).size).toBe(1);
  expect(await devicesOf(person)).toMatchObject([{ id: ids[0], isCurrent: true, lastSentAt: null }]);
});

test('the list tells no address and no key', async () => {
  const { person, endpoint } = await harness.signUpWithBrowser();
  expect(JSON.stringify(await devicesOf(person))).not.toContain(endpoint.slice(-12));
});

test.each([
  'https://push.example.com/abc',
  'https://127.0.0.1/abc',
  'https://localhost:3000/api/logout',
  'https://169.254.169.254/latest/meta-data',
])('%s is refused: it is no push service', async (endpoint) => {
  const person = await harness.signUp();
  const answer = await harness.call(person, 'POST', DEVICES, { ...harness.pushService.subscribe(), endpoint });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'push_service_unknown']);
  expect(await devicesOf(person)).toEqual([]);
});

test('a body that is no subscription is refused', async () => {
  const person = await harness.signUp();
  const { endpoint, keys } = harness.pushService.subscribe();
  const bodies = [
    { endpoint },
    { endpoint: endpoint.replace('https', 'http'), keys },
    { endpoint, keys: { ...keys, auth: 'short' } },
    { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
    { endpoint: `${endpoint}${'x'.repeat(1100)}`, keys },
  ];
  for (const body of bodies) expect((await harness.call(person, 'POST', DEVICES, body)).statusCode).toBe(400);
});

test(`of more than ${PUSH_DEVICES_MAX} browsers the first ones make room, also when they come at once`, async () => {
  const person = await harness.signUp();
  const first = await harness.subscribe(person);
  await Promise.all(Array.from({ length: PUSH_DEVICES_MAX + 2 }, () => harness.subscribe(person)));
  expect(await devicesOf(person)).toHaveLength(PUSH_DEVICES_MAX);
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint: first } })).toBe(0);
});

test('a renewed subscription takes the place of the former', async () => {
  const person = await harness.signUp();
  const replaces = await harness.subscribe(person);
  await harness.call(person, 'POST', DEVICES, { ...harness.pushService.subscribe(), replaces });
  expect(await devicesOf(person)).toHaveLength(1);
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint: replaces } })).toBe(0);
});

test('nobody replaces a subscription of somebody else; its owner removes it', async () => {
  const owner = await harness.signUp();
  const endpoint = await harness.subscribe(owner);
  const [device] = await devicesOf(owner);
  const stranger = await harness.signUp();
  await harness.call(stranger, 'POST', DEVICES, { ...harness.pushService.subscribe(), replaces: endpoint });
  expect(await devicesOf(owner)).toHaveLength(1);
  expect((await harness.call(owner, 'DELETE', `${DEVICES}/${device.id}`)).statusCode).toBe(204);
  expect((await harness.call(owner, 'DELETE', `${DEVICES}/${device.id}`)).json().code).toBe('push_device_not_found');
  expect(await devicesOf(owner)).toEqual([]);
});

test('signing out unsubscribes this browser and no other', async () => {
  const person = await harness.signUp();
  await harness.subscribe(person);
  const elsewhere = await signIn(person);
  await harness.subscribe(elsewhere);
  await harness.call(person, 'POST', '/api/logout', {});
  expect(await devicesOf(elsewhere)).toMatchObject([{ isCurrent: true }]);
});

test('a new session of the same browser and account keeps its subscription', async () => {
  const { person, endpoint } = await harness.signUpWithBrowser();
  const renewed = await signIn(person, person.cookie);
  expect(await devicesOf(renewed)).toMatchObject([{ isCurrent: true }]);

  await signIn(await harness.signUp(), renewed.cookie);
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(0);
});

test('a new password ends the subscriptions of other browsers and keeps the one of this browser', async () => {
  const person = await harness.signUp();
  await harness.subscribe(person);
  const endpoint = await harness.subscribe(await signIn(person));
  const kept = await devicesOf(person);
  const renewals = [
    { url: '/api/account/password', payload: { currentPassword: person.password, newPassword: 'another-password' } },
    { url: '/api/password-reset', payload: { email: person.email, code: '', password: 'a-third-password' } },
  ];
  let { cookie } = person;
  for (const { url, payload } of renewals) {
    if ('code' in payload) {
      const account = { accountId: person.account.id, purpose: 'reset_password' } as const;
      const { app } = harness.testApp;
      payload.code = (await app.db.$transaction((tx) => issueCode(tx, app.config, account))).code;
    }
    const answer = await harness.testApp.server.inject({
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
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(0);
});

test('an ended generation counts as unseen until its owner has seen it', async () => {
  const person = await harness.signUp();
  const stranger = await harness.signUp();
  const unseenOf = async (who: Person) => (await harness.call(who, 'GET', '/api/notifications/unseen')).json().unseen;
  const seen = (who: Person, body: object) => harness.call(who, 'POST', '/api/notifications/seen', body);
  const video = await harness.finish(person, 'video');
  const change = await harness.finish(person, 'model_change', 'failed');
  const session = await harness.finish(person, 'photosession');
  expect(await unseenOf(person)).toBe(3);
  await seen(stranger, { generationIds: [video] });
  expect(await unseenOf(person)).toBe(3);
  expect((await seen(person, { generationIds: [video] })).json()).toEqual({ unseen: 2 });
  expect((await seen(person, { generationIds: [video, change, session] })).json()).toEqual({ unseen: 0 });
  expect((await seen(person, {})).statusCode).toBe(400);
});

test('a failure that nobody has seen counts for a day, a result until it is seen', async () => {
  const person = await harness.signUp();
  const ids = [await harness.finish(person, 'video', 'failed'), await harness.finish(person)];
  const aDayAgo = new Date(Date.now() - 24 * 3_600_000 - 1000);
  await harness.testApp.app.db.generation.updateMany({ where: { id: { in: ids } }, data: { finishedAt: aDayAgo } });
  expect((await harness.call(person, 'GET', '/api/notifications/unseen')).json()).toMatchObject({
    unseen: 1,
    results: [{ generationId: ids[1], kind: 'video', made: 'video', finishedAt: aDayAgo.toISOString() }],
  });
});

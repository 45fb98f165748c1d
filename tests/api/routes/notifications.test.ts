import { expect, test } from 'vitest';
import { issueCode } from '#api/services/accounts/email-codes.ts';
import { PUSH_DEVICES_MAX } from '#api/services/notices/push-subscriptions.ts';
import { useNoticeHarness } from '#tests/support/notice-harness.ts';
import { logIn, nextAddress, sessionCookieOf, type TestUser } from '#tests/support/users.ts';

const harness = useNoticeHarness();
const DEVICES = '/api/notifications/devices';

async function devicesOf(user: Pick<TestUser, 'cookie'>) {
  return (await harness.call(user, 'GET', DEVICES)).json().devices;
}

/** In another browser, or in that of this cookie. */
async function signIn(user: TestUser, cookie = ''): Promise<{ cookie: string }> {
  return { cookie: sessionCookieOf(await logIn(harness.testApp, user, { cookie })) };
}

test('the key to subscribe with is the sender’s, for everybody', async () => {
  const answer = await harness.call({ cookie: '' }, 'GET', '/api/notifications/public-key');
  expect(answer.json()).toEqual({ publicKey: harness.testApp.app.push.publicKey });
});

test('a browser that subscribes repeatedly has one subscription', async () => {
  const user = await harness.signUp();
  const subscription = harness.pushService.subscribe();
  const ids = [];
  for (let round = 0; round < 3; round++) {
    ids.push((await harness.call(user, 'POST', DEVICES, subscription)).json().id);
  }
  expect(new Set(ids).size).toBe(1);
  expect(await devicesOf(user)).toMatchObject([{ id: ids[0], isCurrent: true, lastSentAt: null }]);
});

test('the list tells no address and no key', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  expect(JSON.stringify(await devicesOf(user))).not.toContain(endpoint.slice(-12));
});

test.each([
  'https://push.example.com/abc',
  'https://127.0.0.1/abc',
  'https://localhost:3000/api/logout',
  'https://169.254.169.254/latest/meta-data',
])('%s is refused: it is no push service', async (endpoint) => {
  const user = await harness.signUp();
  const answer = await harness.call(user, 'POST', DEVICES, { ...harness.pushService.subscribe(), endpoint });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'push_service_unknown']);
  expect(await devicesOf(user)).toEqual([]);
});

test('a body that is no subscription is refused', async () => {
  const user = await harness.signUp();
  const { endpoint, keys } = harness.pushService.subscribe();
  const bodies = [
    { endpoint },
    { endpoint: endpoint.replace('https', 'http'), keys },
    { endpoint, keys: { ...keys, auth: 'short' } },
    { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
    { endpoint: `${endpoint}${'x'.repeat(1100)}`, keys },
  ];
  for (const body of bodies) expect((await harness.call(user, 'POST', DEVICES, body)).statusCode).toBe(400);
});

test(`of more than ${PUSH_DEVICES_MAX} browsers the first ones make room, also when they come at once`, async () => {
  const user = await harness.signUp();
  const first = await harness.subscribe(user);
  await Promise.all(Array.from({ length: PUSH_DEVICES_MAX + 2 }, () => harness.subscribe(user)));
  expect(await devicesOf(user)).toHaveLength(PUSH_DEVICES_MAX);
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint: first } })).toBe(0);
});

test('a renewed subscription takes the place of the former', async () => {
  const user = await harness.signUp();
  const replaces = await harness.subscribe(user);
  await harness.call(user, 'POST', DEVICES, { ...harness.pushService.subscribe(), replaces });
  expect(await devicesOf(user)).toHaveLength(1);
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
  const user = await harness.signUp();
  await harness.subscribe(user);
  const elsewhere = await signIn(user);
  await harness.subscribe(elsewhere);
  await harness.call(user, 'POST', '/api/logout', {});
  expect(await devicesOf(elsewhere)).toMatchObject([{ isCurrent: true }]);
});

test('a new session of the same browser and account keeps its subscription', async () => {
  const { user, endpoint } = await harness.signUpWithBrowser();
  const renewed = await signIn(user, user.cookie);
  expect(await devicesOf(renewed)).toMatchObject([{ isCurrent: true }]);

  await signIn(await harness.signUp(), renewed.cookie);
  expect(await harness.testApp.app.db.pushSubscription.count({ where: { endpoint } })).toBe(0);
});

test('a new password ends the subscriptions of other browsers and keeps the one of this browser', async () => {
  const user = await harness.signUp();
  await harness.subscribe(user);
  const endpoint = await harness.subscribe(await signIn(user));
  const kept = await devicesOf(user);
  const renewals = [
    { url: '/api/account/password', payload: { currentPassword: user.password, newPassword: 'another-password' } },
    { url: '/api/password-reset', payload: { email: user.email, code: '', password: 'a-third-password' } },
  ];
  let { cookie } = user;
  for (const { url, payload } of renewals) {
    if ('code' in payload) {
      const account = { accountId: user.account.id, purpose: 'reset_password' } as const;
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
  const user = await harness.signUp();
  const stranger = await harness.signUp();
  const unseenOf = async (who: TestUser) => (await harness.call(who, 'GET', '/api/notifications/unseen')).json().unseen;
  const seen = (who: TestUser, body: object) => harness.call(who, 'POST', '/api/notifications/seen', body);
  const video = await harness.finish(user, 'video');
  const change = await harness.finish(user, 'model_change', 'failed');
  const session = await harness.finish(user, 'photosession');
  expect(await unseenOf(user)).toBe(3);
  await seen(stranger, { generationIds: [video] });
  expect(await unseenOf(user)).toBe(3);
  expect((await seen(user, { generationIds: [video] })).json()).toEqual({ unseen: 2 });
  expect((await seen(user, { generationIds: [video, change, session] })).json()).toEqual({ unseen: 0 });
  expect((await seen(user, {})).statusCode).toBe(400);
});

test('a failure that nobody has seen counts for a day, a result until it is seen', async () => {
  const user = await harness.signUp();
  const ids = [await harness.finish(user, 'video', 'failed'), await harness.finish(user)];
  const aDayAgo = new Date(Date.now() - 24 * 3_600_000 - 1000);
  await harness.testApp.app.db.generation.updateMany({ where: { id: { in: ids } }, data: { finishedAt: aDayAgo } });
  expect((await harness.call(user, 'GET', '/api/notifications/unseen')).json()).toMatchObject({
    unseen: 1,
    results: [{ generationId: ids[1], kind: 'video', made: 'video', finishedAt: aDayAgo.toISOString() }],
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAVING_COOKIE } from '#shared/rules/session.ts';
import { type FakePage, openFakePage } from '#tests/support/fake-page.ts';
import { until } from '#tests/support/until.ts';

vi.mock('#pwa/features/account/session-changes.ts', () => ({ forgetAccount }));
const forgetAccount = vi.hoisted(() => vi.fn(async () => undefined));

const KEY = 'podium.session';
const LOGOUT_KEY = 'podium.logoutPending';
const MARKER = { userId: 1000, name: 'Анна' };
/** The server's answer to each call. */
let answer: (signal: AbortSignal) => Promise<Response>;
const sent = vi.fn();
let page: FakePage;
let stop = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  page = openFakePage();
  sent.mockClear();
  forgetAccount.mockClear();
  answer = confirm;
  vi.stubGlobal('fetch', async (path: string, { signal }: { signal: AbortSignal }) => {
    sent(path);
    return answer(signal);
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const confirm = async () => new Response(null, { status: 204 });
const fail = async () => {
  throw new TypeError('Failed to fetch');
};
const refuse = async () => new Response('{"message":"Внутренняя ошибка"}', { status: 500 });

async function openPage() {
  vi.resetModules();
  const [logout, session, memory] = await Promise.all([
    import('#pwa/features/account/pending-logout.ts'),
    import('#pwa/features/session/session-marker.ts'),
    import('#pwa/features/session/session-memory.ts'),
  ]);
  return { ...logout, ...session, ...memory };
}

test('a start without one asks nothing', async () => {
  const { followPendingLogout } = await openPage();
  stop = followPendingLogout();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).not.toHaveBeenCalled();
});

test.each([
  ['no answer', fail],
  ['a failure of the server', refuse],
])('after %s it is asked again until it is confirmed', async (_what, failing) => {
  page.stored.set(LOGOUT_KEY, '1');
  answer = failing;
  const { followPendingLogout, isLogoutPending } = await openPage();
  stop = followPendingLogout();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.mock.calls.length).toBeGreaterThan(1);
  expect(isLogoutPending()).toBe(true);
  answer = confirm;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isLogoutPending()).toBe(false);
  const calls = sent.mock.calls.length;
  await vi.advanceTimersByTimeAsync(300_000);
  expect(sent).toHaveBeenCalledTimes(calls);
});

test('a sign-out that fails in this page is repeated by it', async () => {
  const { followPendingLogout, beginLogout, sendLogout, removeSessionMarker, isLogoutPending } = await openPage();
  stop = followPendingLogout();
  answer = fail;
  beginLogout();
  expect(await sendLogout()).toBe(false);
  removeSessionMarker();
  expect(isLogoutPending()).toBe(true);
  answer = confirm;
  await vi.advanceTimersByTimeAsync(2000);
  expect(isLogoutPending()).toBe(false);
});

test('a call that nobody answers counts as failed', async () => {
  const { sendLogout } = await openPage();
  answer = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const outcome = sendLogout();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await outcome).toBe(false);
});

test('data of a page that was closed before the answer are removed by the next page', async () => {
  page.stored.set(LOGOUT_KEY, '1').set(KEY, JSON.stringify(MARKER));
  const { followPendingLogout } = await openPage();
  stop = followPendingLogout();
  expect(forgetAccount).toHaveBeenCalledWith(MARKER.userId);
  expect(page.stored.has(KEY)).toBe(false);
});

test('data of a page that still waits for its answer are removed by the page whose call is confirmed', async () => {
  const { followPendingLogout, isLogoutPending, readSessionTrace } = await openPage();
  stop = followPendingLogout();
  page.stored.set(KEY, JSON.stringify(MARKER));
  page.changeElsewhere(LOGOUT_KEY, '1');
  await vi.advanceTimersByTimeAsync(2000);
  expect(isLogoutPending()).toBe(false);
  expect(forgetAccount.mock.calls).toEqual([[MARKER.userId]]);
  expect(readSessionTrace()).toBe('nobody');
  expect(page.stored.size).toBe(0);
});

test('a confirmation that comes after a sign-in in another tab leaves that session alone', async () => {
  page.stored.set(LOGOUT_KEY, '1');
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  const { followPendingLogout, readSessionMarker } = await openPage();
  stop = followPendingLogout();
  await until(() => expect(sent).toHaveBeenCalledOnce());
  page.changeElsewhere(LOGOUT_KEY, null);
  page.changeElsewhere(KEY, JSON.stringify(MARKER));
  resolve(await confirm());
  await vi.advanceTimersByTimeAsync(2000);
  expect(readSessionMarker()).toEqual(MARKER);
  expect(forgetAccount).not.toHaveBeenCalled();
});

test('a sign-in aborts the running sign-out, and none is sent meanwhile', async () => {
  page.stored.set(LOGOUT_KEY, '1');
  let isAborted = false;
  answer = (signal) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        isAborted = true;
        reject(signal.reason);
      }),
    );
  const { followPendingLogout, enterBy } = await openPage();
  stop = followPendingLogout();
  const { promise, resolve } = Promise.withResolvers<void>();
  const entering = enterBy(() => promise);
  expect(isAborted).toBe(true);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toHaveBeenCalledTimes(1);
  resolve();
  await entering;
});

test('a sign-out that another tab has ended without an event is not repeated, so that a session opened there survives', async () => {
  page.cookies.set(LEAVING_COOKIE, '1');
  answer = fail;
  const { followPendingLogout, isLogoutPending } = await openPage();
  stop = followPendingLogout();
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveBeenCalledTimes(1);
  page.cookies.delete(LEAVING_COOKIE);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(isLogoutPending()).toBe(false);
});

test('a sign-out waits for the call that gives the session another token, but not for ever', async () => {
  const { sendLogout, enterBy } = await openPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  const entering = enterBy(() => promise);
  const outcome = sendLogout();
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).not.toHaveBeenCalled();
  resolve();
  await entering;
  expect(await outcome).toBe(true);
  expect(sent).toHaveBeenCalledTimes(1);

  void enterBy(() => new Promise(() => {}));
  const second = sendLogout();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await second).toBe(true);
});

test('an answer about the former account that comes after the sign-out brings nobody back', async () => {
  page.stored.set(LOGOUT_KEY, '1');
  const { rememberUser, readSessionMarker } = await openPage();
  rememberUser({ id: 1000, username: 'anna', email: 'a@b.ru', firstName: null, lastName: null } as never);
  expect(readSessionMarker()).toBeNull();
  expect(page.stored.has(KEY)).toBe(false);
});

import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callApi, setUnauthorizedListener } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { shownToast, toast } from '#pwa/components/toast.ts';
import { expireSession, leaveSession } from '#pwa/features/account/session-changes.ts';
import { enterSessionLate } from '#pwa/features/session/enter-session.ts';
import {
  beginLogout,
  endLogout,
  isLogoutPending,
  readSessionMarker,
  readSessionTrace,
  removeSessionMarker,
  subscribeSessionMarker,
  writeSessionMarker,
} from '#pwa/features/session/session-marker.ts';
import { enterBy, isEntering } from '#pwa/features/session/session-memory.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { LEAVING_COOKIE } from '#shared/rules/session.ts';
import { USER } from '#tests/pwa/support/samples.ts';
import { type FakePage, openFakePage } from '#tests/support/fake-page.ts';
import { until } from '#tests/support/until.ts';

vi.mock('#pwa/features/account/device-data.ts', () => ({
  closeDevice: async () => undefined,
  purgeDevice,
}));
const purgeDevice = vi.hoisted(() => vi.fn(async () => undefined));

const MARKER = { userId: USER.id, name: 'Анна' };
const NOT_SHOWN = { title: 'Баланс неизвестен' };
/** Whether the server knows the browser's current session; null when it does not answer. */
let isAlive: boolean | null;
/** Runs while the server is asked who is signed in. */
let onQuestion: () => void;
let asked: string[];
let goToAuth: ReturnType<typeof vi.fn<() => void>>;
let queryClient: QueryClient;
let page: FakePage;
beforeEach(() => {
  page = openFakePage();
  purgeDevice.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  isAlive = true;
  onQuestion = () => {};
  asked = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    if (path === '/api/session-error') return new Response(null, { status: 204 });
    if (path !== '/api/auth/user') return new Response('{"code":"unauthorized"}', { status: 401 });
    onQuestion();
    if (isAlive === null) throw new TypeError('Failed to fetch');
    return isAlive ? Response.json(USER) : new Response('{"code":"unauthorized"}', { status: 401 });
  });
  writeSessionMarker(MARKER);
  toast(NOT_SHOWN);
  queryClient = new QueryClient();
  goToAuth = vi.fn();
});
afterEach(() => {
  setUnauthorizedListener(null);
  removeSessionMarker();
  endLogout();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Makes calls that are refused and waits for the consequences. */
async function beRefused(calls = 1): Promise<void> {
  const outcomes: Promise<void>[] = [];
  setUnauthorizedListener(() => outcomes.push(expireSession(queryClient, goToAuth)));
  await Promise.allSettled(Array.from({ length: calls }, () => callApi(getStarBalance)));
  expect(outcomes.length).toBeGreaterThanOrEqual(calls);
  await Promise.all(outcomes);
}

/** A query of a page that shows the balance, whose calls are refused. */
function showBalance() {
  setUnauthorizedListener(() => void expireSession(queryClient, goToAuth));
  const shown = new QueryObserver(queryClient, {
    queryKey: QUERY_KEYS.starBalance,
    queryFn: () => callApi(getStarBalance),
    retry: false,
  });
  onTestFinished(shown.subscribe(() => undefined));
  return shown;
}

function expectStillSignedIn(): void {
  expect(readSessionTrace()).toEqual(MARKER);
  expect(goToAuth).not.toHaveBeenCalled();
  expect(shownToast.get()).toMatchObject(NOT_SHOWN);
  expect(asked).not.toContain('/api/session-error');
}

describe('a call that is refused', () => {
  test('after the session got another token signs nobody out, and what is shown is asked for again', async () => {
    const refresh = vi.spyOn(queryClient, 'invalidateQueries');
    await beRefused();
    expectStillSignedIn();
    expect(refresh).toHaveBeenCalledOnce();
  });

  test('while the session gets another token waits for that, and signs nobody out', async () => {
    // The browser has the old token until the answer.
    isAlive = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const entering = enterBy(() => promise);
    const refused = beRefused();
    await until(() => expect(asked).toEqual(['/api/stars/balance']));
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['/api/stars/balance']);
    isAlive = true;
    resolve();
    await entering;
    await refused;
    expectStillSignedIn();
  });

  test('although its session is alive is made once more, and then has failed', async () => {
    onQuestion = () => {
      // Without an end nothing else would get its turn.
      if (asked.length > 50) isAlive = null;
    };
    const shown = showBalance();
    await until(() => expect(shown.getCurrentResult()).toMatchObject({ fetchStatus: 'idle', errorUpdateCount: 2 }));
    // A further round would have begun by then.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(asked.filter((path) => path === '/api/stars/balance')).toHaveLength(2);
    expect(shown.getCurrentResult()).toMatchObject({ fetchStatus: 'idle', isError: true });
    expectStillSignedIn();
  });

  test('once more because its session has ended in the meantime closes it', async () => {
    let questions = 0;
    onQuestion = () => {
      questions += 1;
      isAlive = questions === 1;
    };
    showBalance();
    await until(() => expect(goToAuth).toHaveBeenCalledOnce());
    expect(readSessionTrace()).toBe('nobody');
  });

  test('once more while the session’s token is being replaced closes nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let questions = 0;
    onQuestion = () => {
      questions += 1;
      if (questions === 1) void enterBy(() => promise);
      else isAlive = !isEntering();
    };
    showBalance();
    await until(() => expect(asked.filter((path) => path === '/api/stars/balance')).toHaveLength(2));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    resolve();
    await until(() => expect(questions).toBe(2));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expectStillSignedIn();
  });

  test('closes a session that the server does not know, once for all calls', async () => {
    isAlive = false;
    await beRefused(3);
    expect(readSessionTrace()).toBe('nobody');
    expect(goToAuth).toHaveBeenCalledOnce();
    expect(shownToast.get()).toMatchObject({ title: 'Сессия завершена' });
    expect(asked.filter((path) => path === '/api/session-error')).toHaveLength(1);
  });

  test('closes nothing while the server does not say who is signed in, and is asked about again by the next one', async () => {
    isAlive = null;
    await beRefused();
    expectStillSignedIn();
    isAlive = false;
    await beRefused();
    expect(goToAuth).toHaveBeenCalledOnce();
  });

  test('while somebody signs out neither says that the session has ended nor leads to the sign-in', async () => {
    isAlive = false;
    beginLogout();
    await beRefused();
    expect(goToAuth).not.toHaveBeenCalled();
    expect(shownToast.get()).toMatchObject(NOT_SHOWN);
  });

  test('does nothing for a person who has signed out before the cause is known', async () => {
    isAlive = false;
    onQuestion = removeSessionMarker;
    await beRefused();
    expect(asked).toEqual(['/api/stars/balance', '/api/auth/user']);
    expect(goToAuth).not.toHaveBeenCalled();
    expect(shownToast.get()).toMatchObject(NOT_SHOWN);
  });
});

describe('a sign-out whose call fails', () => {
  const enterMeanwhile = () => enterSessionLate(queryClient, USER);
  // Code of this page may have opened a session without knowing of the sign-out.
  test.each([
    ['while the delay after a confirmed code ends', enterMeanwhile],
    ['while a session that was being opened is entered', endLogout],
  ])('%s still stands, by the cookie and by the key, for those who are to repeat it', async (_when, happen) => {
    beginLogout();
    happen();
    const received: boolean[] = [];
    const stop = subscribeSessionMarker(() => received.push(isLogoutPending()));
    expect(readSessionMarker()).toEqual(MARKER);
    await leaveSession(queryClient, false);
    stop();
    expect(received).toEqual([true]);
    expect([...page.cookies.keys()]).toEqual([LEAVING_COOKIE]);
    expect([...page.stored.keys()]).toEqual(['podium.logoutPending']);
  });

  test('is not ended by the delay after a confirmed code, before or after it', async () => {
    beginLogout();
    enterMeanwhile();
    expect([page.cookies.has(LEAVING_COOKIE), page.stored.has('podium.logoutPending')]).toEqual([true, true]);
    await leaveSession(queryClient, false);
    enterMeanwhile();
    expect(readSessionTrace()).toBe('nobody');
    expect(queryClient.getQueryData(QUERY_KEYS.user)).toBeUndefined();
  });
});

describe('a sign-out that another tab has ended before its answer comes', () => {
  const OTHER = { userId: 1001, name: 'Борис' };
  const endElsewhere = () => {
    page.cookies.delete(LEAVING_COOKIE);
    page.changeElsewhere('podium.logoutPending', null);
  };

  test.each([
    ['confirmed', true, OTHER],
    ['refused', false, OTHER],
    ['refused', false, MARKER],
  ])('%s, takes nothing from whoever has signed in there', async (_answer, isConfirmed, signedIn) => {
    beginLogout();
    endElsewhere();
    page.changeElsewhere('podium.session', JSON.stringify(signedIn));
    queryClient.setQueryData(QUERY_KEYS.user, USER);
    const received: unknown[] = [];
    const stop = subscribeSessionMarker(() => received.push(readSessionTrace()));
    expect(await leaveSession(queryClient, isConfirmed)).toBe(true);
    stop();
    expect(received).toEqual([signedIn]);
    expect(purgeDevice).not.toHaveBeenCalled();
    expect(isLogoutPending()).toBe(false);
    expect([page.cookies.size, [...page.stored.keys()]]).toEqual([0, ['podium.session']]);
    expect(queryClient.getQueryData(QUERY_KEYS.user)).toBeUndefined();
  });

  test('is not begun again', async () => {
    beginLogout();
    page.changeElsewhere('podium.session', null);
    endElsewhere();
    expect(await leaveSession(queryClient, false)).toBe(true);
    expect(isLogoutPending()).toBe(false);
    expect([page.cookies.size, page.stored.size]).toEqual([0, 0]);
  });
});

test('the delay after a confirmed code ends in the session of the confirmed user', () => {
  enterSessionLate(queryClient, USER);
  expect(queryClient.getQueryData(QUERY_KEYS.user)).toEqual(USER);
});

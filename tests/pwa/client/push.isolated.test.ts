import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 Version/18.4 Safari/604.1';
const KEY = 'A'.repeat(87);
const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/abc';

interface Sent {
  method: string;
  path: string;
  body: unknown;
}

let push: typeof import('#pwa/client/push.ts');
let sent: Sent[];
let existing: ReturnType<typeof makeSubscription> | null;
let subscribe: ReturnType<typeof vi.fn>;
let permission: string;
let stored: Map<string, string>;
let isReachable: boolean;

function makeSubscription(key: string | null = KEY) {
  const point = new Uint8Array(65).fill(7);
  point[0] = 4;
  return {
    endpoint: ENDPOINT,
    options: { applicationServerKey: key && Uint8Array.from(Buffer.from(key, 'base64url')).buffer },
    getKey: (name: string) => (name === 'auth' ? new Uint8Array(16).fill(9) : point).buffer,
    unsubscribe: vi.fn(async () => {
      existing = null;
      return true;
    }),
  };
}

beforeEach(async () => {
  vi.resetModules();
  sent = [];
  existing = null;
  permission = 'default';
  stored = new Map();
  isReachable = true;
  subscribe = vi.fn(async () => {
    existing = makeSubscription();
    return existing;
  });
  const pushManager = { subscribe, getSubscription: async () => existing };
  const registration = { pushManager };
  const serviceWorker = { ready: Promise.resolve(registration), getRegistration: async () => registration };
  vi.stubGlobal('navigator', { serviceWorker, userAgent: 'Chrome', maxTouchPoints: 0, onLine: true });
  vi.stubGlobal('window', { PushManager: {}, Notification: {} });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
  });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    if (!isReachable) throw new TypeError('Failed to fetch');
    sent.push({ method: method ?? 'GET', path, body: body && JSON.parse(String(body)) });
    return Response.json(path.endsWith('public-key') ? { publicKey: KEY } : { id: crypto.randomUUID() });
  });
  push = await import('#pwa/client/push.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const subscriptionsSent = () => sent.filter(({ method }) => method === 'POST');

test('on load nothing is asked of the person and nothing told to the server', async () => {
  expect(push.pushState.get()).toBe('unknown');
  await push.syncPush(1000);
  expect(push.pushState.get()).toBe('off');
  expect(subscribe).not.toHaveBeenCalled();
  expect(subscriptionsSent()).toEqual([]);
});

test('the browser is asked within the very click, and the server then told', async () => {
  await push.syncPush(1000);
  const subscribing = push.subscribeInClick(1000);
  // Before anything is awaited.
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY });
  await subscribing;
  expect(push.pushState.get()).toBe('on');
  expect(subscriptionsSent()).toMatchObject([{ path: '/api/notifications/devices', body: { endpoint: ENDPOINT } }]);
});

test('a refusal is remembered as one', async () => {
  await push.syncPush(1000);
  subscribe.mockImplementation(async () => {
    permission = 'denied';
    throw new DOMException('refused', 'NotAllowedError');
  });
  await expect(push.subscribeInClick(1000)).rejects.toThrow('refused');
  expect(push.pushState.get()).toBe('denied');
});

test('a push service that keeps silent is given up, the person’s own time not counted, and taken if it answers later', async () => {
  await push.syncPush(1000);
  const answer = Promise.withResolvers<ReturnType<typeof makeSubscription>>();
  subscribe.mockImplementation(() => answer.promise);
  vi.useFakeTimers();
  const outcome = vi.fn();
  push.subscribeInClick(1000).then(
    () => outcome('on'),
    (error: Error) => outcome(error.message),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outcome).not.toHaveBeenCalled();
  permission = 'granted';
  await vi.advanceTimersByTimeAsync(21_000);
  expect(outcome.mock.calls).toEqual([['the push service does not answer']]);
  answer.resolve(makeSubscription());
  await vi.advanceTimersByTimeAsync(1000);
  expect(push.pushState.get()).toBe('on');
});

test('the subscription is sent again at each start, so that a new session has it', async () => {
  await push.syncPush(1000);
  await push.subscribeInClick(1000);
  await push.syncPush(1000);
  expect(subscriptionsSent()).toHaveLength(2);
  expect(subscribe).toHaveBeenCalledTimes(1);
});

test('a subscription of another account is ended and not passed on', async () => {
  const left = makeSubscription();
  existing = left;
  stored.set('podium.pushOwner', '1000');
  await push.syncPush(1001);
  expect(left.unsubscribe).toHaveBeenCalled();
  expect(push.pushState.get()).toBe('off');
  expect(subscriptionsSent()).toEqual([]);
});

test('with another key of the server the browser subscribes again', async () => {
  const old = makeSubscription('B'.repeat(87));
  existing = old;
  permission = 'granted';
  stored.set('podium.pushOwner', '1000');
  await push.syncPush(1000);
  expect(old.unsubscribe).toHaveBeenCalled();
  expect(subscribe).toHaveBeenCalledTimes(1);
  expect(push.pushState.get()).toBe('on');
});

test('signing out ends the subscription', async () => {
  await push.syncPush(1000);
  await push.subscribeInClick(1000);
  const own = existing;
  await push.dropPush();
  expect(own?.unsubscribe).toHaveBeenCalled();
  expect(push.pushState.get()).toBe('off');
  expect(stored.size).toBe(0);
});

test('on an iPhone push waits for the app on the home screen', async () => {
  vi.stubGlobal('navigator', { userAgent: IPHONE, maxTouchPoints: 5, serviceWorker: {} });
  vi.stubGlobal('window', {});
  await push.syncPush(1000);
  expect(push.pushState.get()).toBe('needs_install');
  expect(sent).toEqual([]);
});

test('a browser without push is left alone', async () => {
  vi.stubGlobal('window', {});
  await push.syncPush(1000);
  expect(push.pushState.get()).toBe('unsupported');
});

describe('where no worker runs', () => {
  let letWorkerCome: () => void;
  let hasRegistration: boolean;

  beforeEach(() => {
    vi.useFakeTimers();
    hasRegistration = false;
    const registration = { pushManager: { getSubscription: async () => null } };
    const ready = new Promise((resolve) => {
      letWorkerCome = () => resolve(registration);
    });
    const getRegistration = async () => (hasRegistration ? registration : undefined);
    vi.stubGlobal('navigator', { serviceWorker: { ready, getRegistration }, userAgent: 'Chrome', maxTouchPoints: 0 });
  });

  test('it is said after a few seconds, and taken back when one comes after all', async () => {
    const syncing = push.syncPush(1000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(push.pushState.get()).toBe('unknown');
    await vi.advanceTimersByTimeAsync(5000);
    expect(push.pushState.get()).toBe('no_worker');
    letWorkerCome();
    await syncing;
    expect(push.pushState.get()).toBe('off');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(push.pushState.get()).toBe('off');
  });

  test('one that is still being installed is waited for, until the browser gives it up', async () => {
    void push.syncPush(1000);
    hasRegistration = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(push.pushState.get()).toBe('unknown');
    hasRegistration = false;
    await vi.advanceTimersByTimeAsync(6000);
    expect(push.pushState.get()).toBe('no_worker');
  });
});

test('without an answer of the server the check has failed, until the next one', async () => {
  isReachable = false;
  await expect(push.syncPush(1000)).rejects.toThrow();
  expect(push.pushState.get()).toBe('failed');
  isReachable = true;
  await push.syncPush(1000);
  expect(push.pushState.get()).toBe('off');
});

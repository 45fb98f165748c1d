import { afterEach, expect, test, vi } from 'vitest';
import { loadNewestVersion } from '#pwa/features/account/load-newest-version.ts';

const reload = vi.fn();
const postMessage = vi.fn();

afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** A page with a worker. `update`: what the server's newest worker does to the registration. */
function openPage(update: (registration: FakeRegistration) => void): EventTarget {
  const registration: FakeRegistration = { installing: null, waiting: null, update: async () => update(registration) };
  const container = Object.assign(new EventTarget(), { getRegistration: async () => registration });
  vi.stubGlobal('navigator', { serviceWorker: container });
  vi.stubGlobal('location', { reload, pathname: '/app' });
  return container;
}

interface FakeRegistration {
  installing: EventTarget | null;
  waiting: object | null;
  update: () => Promise<void>;
}

test('a newer worker is installed and takes over before the page reloads', async () => {
  const installing = new EventTarget();
  const container = openPage((registration) => {
    registration.installing = installing;
    setImmediate(() => {
      registration.waiting = { postMessage };
      installing.dispatchEvent(new Event('statechange'));
    });
  });
  await loadNewestVersion();
  expect(postMessage.mock.calls).toEqual([[{ type: 'SKIP_WAITING' }]]);
  expect(reload).not.toHaveBeenCalled();
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledOnce();
});

test('a newer worker that waits already is enough without a network', async () => {
  const container = openPage((registration) => {
    registration.waiting = { postMessage };
    throw new TypeError('no network');
  });
  await loadNewestVersion();
  container.dispatchEvent(new Event('controllerchange'));
  expect([postMessage.mock.calls.length, reload.mock.calls.length]).toEqual([1, 1]);
});

test('the page reloads at once where nothing newer waits', async () => {
  openPage(() => undefined);
  await loadNewestVersion();
  expect(reload).toHaveBeenCalledOnce();
});

test('the page reloads at once where the browser has no workers', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('location', { reload, pathname: '/app' });
  await loadNewestVersion();
  expect(reload).toHaveBeenCalledOnce();
});

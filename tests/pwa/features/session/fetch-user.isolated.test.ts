import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let fetchUser: typeof import('#pwa/features/session/fetch-user.ts').fetchUser;
let limit: AbortController;
let asked: string[];
beforeEach(async () => {
  // A watched connection stays so: calls of later test files would be followed by probes.
  vi.resetModules();
  ({ fetchUser } = await import('#pwa/features/session/fetch-user.ts'));
  const { beginWatching } = await import('#pwa/device/connection.ts');
  limit = new AbortController();
  asked = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit.signal);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', (path: string, { signal }: { signal: AbortSignal }) => {
    asked.push(path);
    if (path === '/healthz') return Promise.resolve(new Response());
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  beginWatching();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a server that never says who is signed in is given up on and probed', async () => {
  const outcome = fetchUser();
  limit.abort(new DOMException('too late', 'TimeoutError'));
  await expect(outcome).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(asked).toEqual(['/api/auth/user', '/healthz']);
});

test('a page that stops asking who is signed in does not probe the server', async () => {
  const page = new AbortController();
  const outcome = fetchUser(page.signal);
  page.abort(new DOMException('gone', 'AbortError'));
  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' });
  expect(asked).toEqual(['/api/auth/user']);
});

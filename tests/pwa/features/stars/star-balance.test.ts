import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shownToast } from '#pwa/components/toast.ts';
import { fetchBalance } from '#pwa/features/stars/use-star-balance.ts';
import { until } from '#tests/support/until.ts';

let answer: Response;
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async () => answer);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  [new Response('<html>', { status: 502, statusText: 'Bad Gateway' }), 'Обновите страницу через минуту'],
  [Response.json({ message: 'upstream timed out' }, { status: 504 }), 'Обновите страницу через минуту'],
  [Response.json({ message: 'Ошибка сервера', code: 'internal' }, { status: 500 }), 'Ошибка сервера'],
])('a balance that a server or a proxy refuses is told in Russian (%#)', async (response, description) => {
  answer = response;
  await expect(fetchBalance({ signal: new AbortController().signal })).rejects.toThrow();
  await until(() => expect(shownToast.get()).toMatchObject({ title: 'Не удалось получить баланс звезд', description }));
});

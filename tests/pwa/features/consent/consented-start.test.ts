import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ConsentedStart, consentedStart, isStale, sendStart } from '#pwa/features/consent/consented-start.ts';

const KEY = '0b6f1f0e-8f5c-4d5e-9a53-0f5f3a1d2c11';
const agreed = { agreedAt: 1 };
const VIDEO: ConsentedStart = { slot: 'video', settings: { duration: 10 }, price: 2, ...agreed };
const FIELDS = { modelImageUrl: '/catalogue/models/dina.webp', backgroundImageUrl: '' };
const MODEL_CHANGE: ConsentedStart = { slot: 'model_change', fields: FIELDS, price: 1, ...agreed };
const CHOICE = { personImageId: 'p9', category: 'tops' } as const;
const TRY_ON: ConsentedStart = { slot: 'try_on', choice: CHOICE, price: 1, ...agreed };
const PHOTOSESSION: ConsentedStart = { slot: 'photosession', price: 2, ...agreed };

let sent: { path: string; key: string | null; price: string | null; body: unknown }[];
let answer: () => Response;

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { headers: init, body, signal }: RequestInit) => {
    signal?.throwIfAborted();
    const headers = new Headers(init);
    const fields = body instanceof FormData ? Object.fromEntries(body) : JSON.parse(String(body));
    sent.push({ path, key: headers.get('idempotency-key'), price: headers.get('x-agreed-price'), body: fields });
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('each kind is started as it was chosen, under the key that it waited with and for the agreed price', async () => {
  answer = () => Response.json({ generationId: 'g1', videoId: 'g1' });
  expect(await sendStart(VIDEO, 'p1', KEY)).toBe('g1');
  answer = () =>
    Response.json({ status: 'QUEUED', request_id: 'g2', result_url: null, stars_spent: 1, current_star_balance: 0 });
  expect(await sendStart(MODEL_CHANGE, 'p2', KEY)).toBe('g2');
  answer = () => Response.json({ sessionId: 'g3' });
  expect(await sendStart(PHOTOSESSION, 'p3', KEY)).toBe('g3');
  answer = () => Response.json({ generationId: 'g4' });
  expect(await sendStart(TRY_ON, 'p4', KEY)).toBe('g4');
  expect(sent).toEqual([
    { path: '/api/generate', key: KEY, price: '2', body: { imageId: 'p1', settings: { duration: 10 } } },
    { path: '/api/change-model', key: KEY, price: '1', body: { imageId: 'p2', ...FIELDS } },
    { path: '/api/photosession', key: KEY, price: '2', body: { imageId: 'p3' } },
    { path: '/api/try-on', key: KEY, price: '1', body: { garmentImageId: 'p4', ...CHOICE } },
  ]);
});

test('a refusal keeps its words and its code, a lost line has no status', async () => {
  answer = () => Response.json({ message: 'Недостаточно звезд', code: 'not_enough_stars' }, { status: 402 });
  await expect(sendStart(PHOTOSESSION, 'p', KEY)).rejects.toMatchObject({ status: 402, code: 'not_enough_stars' });
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(sendStart(PHOTOSESSION, 'p', KEY)).rejects.toMatchObject({ status: 0 });
});

test('a consent without a price, or of an unknown kind, is none', () => {
  for (const start of [
    { ...VIDEO, price: 0 },
    { ...PHOTOSESSION, price: undefined },
    { ...VIDEO, slot: 'postcard' },
  ]) {
    expect(consentedStart.safeParse(start).success).toBe(false);
  }
});

test('what is not answered in time has no status either', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  await expect(sendStart(PHOTOSESSION, 'p', KEY)).rejects.toMatchObject({ status: 0 });
  expect(limit).toHaveBeenCalledWith(60_000);
});

test('an answer from a proxy leaves open whether the server has acted', async () => {
  for (const body of ['<html>Wi-Fi</html>', '', '{"other":1}']) {
    answer = () => new Response(body);
    await expect(sendStart(PHOTOSESSION, 'p', KEY)).rejects.toMatchObject({ status: 500 });
  }
});

test('a consent is stale after a day', () => {
  const day = 24 * 60 * 60 * 1000;
  expect(isStale({ ...PHOTOSESSION, agreedAt: 1000 }, 1000 + day)).toBe(false);
  expect(isStale({ ...PHOTOSESSION, agreedAt: 1000 }, 1001 + day)).toBe(true);
});

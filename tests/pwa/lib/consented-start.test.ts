import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ConsentedStart, consentedStart, priceOfStart, sendStart } from '#pwa/lib/consented-start.ts';

const KEY = '0b6f1f0e-8f5c-4d5e-9a53-0f5f3a1d2c11';
const agreed = { agreedAt: 1 };
const VIDEO: ConsentedStart = { slot: 'video', settings: { duration: 10 }, price: 2, ...agreed };
const FIELDS = { modelImageUrl: '/catalogue/models/dina.webp', backgroundImageUrl: '' };
const MODEL_CHANGE: ConsentedStart = { slot: 'model_change', fields: FIELDS, price: 1, ...agreed };
const PHOTOSESSION: ConsentedStart = { slot: 'photosession', price: 2, ...agreed };

let sent: { path: string; key: string | null; body: unknown }[];
let answer: () => Response;

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { headers, body }: RequestInit) => {
    const fields = body instanceof FormData ? Object.fromEntries(body) : JSON.parse(String(body));
    sent.push({ path, key: new Headers(headers).get('idempotency-key'), body: fields });
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

test('what was agreed to costs what it costs now', () => {
  expect([VIDEO, MODEL_CHANGE, PHOTOSESSION].map(priceOfStart)).toEqual([2, 1, 2]);
  expect(priceOfStart({ ...VIDEO, settings: {} })).toBe(1);
});

test('each kind is started as it was chosen, under the key that it waited with', async () => {
  answer = () => Response.json({ generationId: 'g1', videoId: 'g1' });
  expect(await sendStart(VIDEO, 'p1', KEY)).toBe('g1');
  answer = () =>
    Response.json({ status: 'QUEUED', request_id: 'g2', result_url: null, stars_spent: 1, current_star_balance: 0 });
  expect(await sendStart(MODEL_CHANGE, 'p2', KEY)).toBe('g2');
  answer = () => Response.json({ sessionId: 'g3' });
  expect(await sendStart(PHOTOSESSION, 'p3', KEY)).toBe('g3');
  expect(sent).toEqual([
    { path: '/api/generate', key: KEY, body: { imageId: 'p1', settings: { duration: 10 } } },
    { path: '/api/change-model', key: KEY, body: { imageId: 'p2', ...FIELDS } },
    { path: '/api/photosession', key: KEY, body: { imageId: 'p3' } },
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
    { ...VIDEO, slot: 'try_on' },
  ]) {
    expect(consentedStart.safeParse(start).success).toBe(false);
  }
});

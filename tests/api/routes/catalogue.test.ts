import { expect, test } from 'vitest';
import { getCatalogue } from '#shared/contract/catalogue.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

const get = (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
  testApp.server.inject({ method, url, headers });

test('anybody may see what there is to choose from, with every field of the specification', async () => {
  const response = await get('/api/catalogue');
  expect(response.statusCode).toBe(200);
  const catalogue = getCatalogue.answer.parse(response.json());
  expect(catalogue.models[0]).toMatchObject({
    id: 'w1',
    name: 'Алиса',
    ageRange: '18-25',
    category: 'women',
    imageUrl: '/attached_assets/woman/w1.webp',
  });
  expect(catalogue.backgrounds.find(({ id }) => id === 'luxury')).toMatchObject({
    name: 'Luxury',
    type: 'themed',
    isPremium: true,
    imageUrl: '/backgrounds/luxury.webp',
  });
});

test('every picture of it is served, in both formats, and asked for again answers 304', async () => {
  const { models, backgrounds } = (await get('/api/catalogue')).json();
  for (const { imageUrl, avifUrl } of [...models, ...backgrounds]) {
    for (const [url, type] of [
      [imageUrl, 'image/webp'],
      [avifUrl, 'image/avif'],
    ]) {
      const picture = await get(url);
      expect(picture.statusCode).toBe(200);
      expect(picture.headers).toMatchObject({
        'content-type': type,
        'content-length': String(picture.rawPayload.length),
        'cache-control': expect.stringMatching(/^public, max-age=\d{5,}/),
      });
      expect((await get(url, { 'if-none-match': picture.headers.etag })).statusCode).toBe(304);
    }
  }
});

test('a HEAD tells the size and sends nothing', async () => {
  const head = await get('/backgrounds/pro.webp', {}, 'HEAD');
  expect(head.statusCode).toBe(200);
  expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
  expect(head.body).toBe('');
});

test.each([
  '/backgrounds/unknown.webp',
  '/backgrounds/',
  '/backgrounds/..%2fmanifest.json',
  '/attached_assets/manifest.json',
  '/attached_assets/woman/%2e%2e%2f%2e%2e%2fmanifest.json',
  '/backgrounds/pro.webp%00',
  '/attached_assets//woman/w1.webp',
])('nothing but the pictures can be reached: %s', async (url) => {
  const response = await get(url);
  expect(response.statusCode).toBe(404);
  expect(response.body).not.toContain('backgrounds"');
});

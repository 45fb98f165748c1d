import { expect } from 'playwright/test';
import { addImages, signInAsNew } from '#tests/e2e/fixture.ts';
import { test, waitForWorker } from './installed.ts';

const PAGES = [
  '/app',
  '/dashboard/create-video',
  '/dashboard/change-model',
  '/dashboard/photoshoot',
  '/dashboard/products',
  '/dashboard/gallery',
  '/dashboard/gallery/deleted',
  '/settings',
  '/stars',
  '/cases',
  '/payment/success',
];

test('the policy of the pages and of the worker refuses nothing, and both ask nobody but their own server', async ({
  page,
  context,
  baseURL,
}) => {
  const refused: string[] = [];
  await context.exposeFunction('noteRefusal', (what: string) => refused.push(what));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      void (window as unknown as { noteRefusal: (what: string) => void }).noteRefusal(
        `${violatedDirective} ${blockedURI}`,
      );
    });
  });
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  const asked = new Set<string>();
  // Requests of the worker too.
  context.on('request', (request) => asked.add(new URL(request.url()).origin));
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Пальто' });
  await page.goto('/app');
  await waitForWorker(page);
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(() => {
    addEventListener('securitypolicyviolation', () => console.warn('Content Security Policy: in the worker'));
  });
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect([...asked].filter((origin) => origin.startsWith('http'))).toEqual([new URL(baseURL ?? '').origin]);
  // A refusal that the test itself causes is told after all others.
  await page.evaluate(() => fetch('https://elsewhere.example').catch(() => undefined));
  await expect.poll(() => refused.join()).toContain('elsewhere.example');
  expect(refused.filter((what) => !what.includes('elsewhere.example'))).toEqual([]);
  const headers = (await page.request.get('/sw.js')).headers();
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
});

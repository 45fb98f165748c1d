import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

it('every answer forbids foreign and inline code, framing, sniffing and leaks', async () => {
  for (const url of ['/api/auth/user', '/api/no-such', '/healthz', '/no-such']) {
    const { headers } = await testApp.server.inject(url);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self';script-src 'self';style-src 'self';");
    expect(policy).toContain("object-src 'none';base-uri 'none';frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('camera=(self)'),
    });
  }
});

it('no answer of the API may be kept by a cache', async () => {
  for (const url of ['/api/auth/user', '/api/no-such', '/api/docs/json']) {
    expect((await testApp.server.inject(url)).headers['cache-control']).toBe('no-store');
  }
});

it('plain http does not ask for https', async () => {
  expect((await testApp.server.inject('/healthz')).headers['strict-transport-security']).toBeUndefined();
});

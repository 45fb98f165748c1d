import { expect, it } from 'vitest';
import { readConfig } from '#api/config/config.ts';
import { createServer } from '#api/server.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

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

async function policyOf(env: Record<string, string>): Promise<string[]> {
  const config = readConfig({ DATA_DIR: testApp.app.config.dataDir, ...env });
  const server = await createServer({ ...testApp.app, config });
  const policy = String((await server.inject('/healthz')).headers['content-security-policy']).split(';');
  await server.close();
  return policy;
}

it('pictures may come from the storage that browsers reach, and nothing else', async () => {
  const s3 = {
    S3_ENDPOINT: 'https://storage.example/s3',
    S3_BUCKET: 'podium',
    S3_REGION: 'ru-1',
    S3_ACCESS_KEY_ID: 'key-id',
    S3_SECRET_ACCESS_KEY: 'the-secret-key',
  };
  const without = await policyOf({});
  const added = async (env: Record<string, string>) =>
    (await policyOf({ ...s3, ...env })).filter((directive) => !without.includes(directive));
  expect(await added({})).toEqual(["img-src 'self' blob: data: https://storage.example"]);
  expect(await added({ S3_PUBLIC_ENDPOINT: 'https://files.example:8443' })).toEqual([
    "img-src 'self' blob: data: https://files.example:8443",
  ]);
  expect(
    await added({ NODE_ENV: 'test', PUBLIC_URL: 'https://podium.example', S3_ENDPOINT: 'http://s3:9000' }),
  ).toEqual([]);
});

it('the tag manager’s host is let in where there is one, and nothing more', async () => {
  const [without, withOne] = [await policyOf({}), await policyOf({ TAG_MANAGER_ID: 'GTM-AB12CD3' })];
  expect(without.join(';')).not.toContain('http');
  const host = 'https://www.googletagmanager.com';
  expect(withOne.filter((directive) => !without.includes(directive))).toEqual([
    `script-src 'self' ${host}`,
    `img-src 'self' blob: data: ${host}`,
    `connect-src 'self' ${host}`,
  ]);
  expect(withOne).toHaveLength(without.length);
  await expect(policyOf({ TAG_MANAGER_ID: "GTM-1' *" })).rejects.toThrow('TAG_MANAGER_ID: the id of a container');
});

it('no answer of the API may be kept by a cache', async () => {
  for (const url of ['/api/auth/user', '/api/no-such', '/api/docs/json']) {
    expect((await testApp.server.inject(url)).headers['cache-control']).toBe('no-store');
  }
});

it('plain http does not ask for https', async () => {
  expect((await testApp.server.inject('/healthz')).headers['strict-transport-security']).toBeUndefined();
});

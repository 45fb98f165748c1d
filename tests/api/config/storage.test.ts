import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '#api/config/config.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-config-storage-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const S3 = {
  S3_ENDPOINT: 'https://storage.example/',
  S3_BUCKET: 'podium',
  S3_REGION: 'ru-1',
  S3_ACCESS_KEY_ID: 'key-id',
  S3_SECRET_ACCESS_KEY: 'the-secret-key',
};
const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env });

describe('S3', () => {
  it('is the storage once all its settings are there', () => {
    expect(read().s3).toBeNull();
    expect(read(S3).s3).toEqual({
      endpoint: 'https://storage.example',
      publicEndpoint: 'https://storage.example',
      bucket: 'podium',
      region: 'ru-1',
      accessKeyId: 'key-id',
      secretAccessKey: 'the-secret-key',
    });
  });

  it.each(Object.keys(S3))('without %s is refused, because files would go to the disk', (missing) => {
    expect(() => read({ ...S3, [missing]: '' })).toThrow(`S3_SECRET_ACCESS_KEY: all or none (not set: ${missing})`);
  });

  it('gives browsers an address of its own, which has to be https where the site is', () => {
    const publicEndpointOf = (env: Record<string, string>) => read({ ...S3, ...env }).s3?.publicEndpoint;
    expect(publicEndpointOf({ S3_PUBLIC_ENDPOINT: 'https://files.example' })).toBe('https://files.example');
    expect(publicEndpointOf({ S3_ENDPOINT: 'http://s3:9000' })).toBe('http://s3:9000');
    const site = { NODE_ENV: 'test', PUBLIC_URL: 'https://podium.example' };
    expect(publicEndpointOf(site)).toBe('https://storage.example');
    expect(publicEndpointOf({ ...site, S3_ENDPOINT: 'http://s3:9000' })).toBeNull();
  });

  it('makes MEDIA_ACCEL idle, and its public address is idle without it', () => {
    const accel = { MEDIA_ACCEL: 'nginx' };
    expect(read(accel).mediaAccel).toBe('nginx');
    expect(read({ ...accel, ...S3 })).toMatchObject({
      mediaAccel: 'off',
      unreadSettings: ['MEDIA_ACCEL is set, but not read without files on the disk'],
    });
    expect(read({ S3_PUBLIC_ENDPOINT: 'https://files.example' }).unreadSettings).toEqual([
      'S3_PUBLIC_ENDPOINT is set, but not read without S3_ENDPOINT',
    ]);
  });

  it('keeps its secret out of complaints', () => {
    expect(() => read({ ...S3, S3_SECRET_ACCESS_KEY: 'short' })).toThrow(/S3_SECRET_ACCESS_KEY: .*not shown/);
    expect(() => read({ ...S3, S3_BUCKET: 'Мой бакет' })).toThrow('S3_BUCKET: the name of a bucket');
  });
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#api/config/config.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'podium-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('of what works and is unwise', () => {
  const unwise = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env }).unwiseSettings;
  const server = { ...PRODUCTION_ENV, DATABASE_URL: 'postgresql://podium@localhost/podium' };

  it('a start on a developer’s machine, and a production start with everything, have nothing', () => {
    expect(unwise({})).toEqual([]);
    expect(unwise(server)).toEqual([]);
    expect(unwise({ ...server, HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' })).toEqual([]);
    expect(unwise({ ...server, MEDIA_ACCEL: 'nginx' })).toEqual([]);
  });

  it.each([
    [{ ...PRODUCTION_ENV }, 'DATABASE_URL is not set: the embedded database'],
    [{ ...server, HOST: '0.0.0.0', TRUSTED_PROXIES: '' }, 'HOST is «0.0.0.0» and TRUSTED_PROXIES is empty'],
    [{ ...server, MEDIA_ACCEL: 'nginx', TRUSTED_PROXIES: '' }, 'MEDIA_ACCEL=nginx and TRUSTED_PROXIES is empty'],
    [
      { ...server, MEDIA_ACCEL: 'nginx', HOST: '0.0.0.0', TRUSTED_PROXIES: '' },
      'HOST is «0.0.0.0» and TRUSTED_PROXIES is empty',
    ],
    [{ ...server, PUBLIC_URL: 'https://podium.example/app' }, 'PUBLIC_URL has a path'],
    [
      { ...server, TELEGRAM_WEBHOOK_SECRET: PRODUCTION_ENV.SESSION_SECRET },
      'TELEGRAM_WEBHOOK_SECRET is the same as another secret',
    ],
  ])('%j is named', (env, warning) => {
    expect(unwise(env)).toEqual([expect.stringContaining(warning)]);
  });

  it.skipIf(!existsSync('/dev/shm'))('a data folder in memory is named', () => {
    const folder = mkdtempSync('/dev/shm/podium-config-');
    try {
      expect(readConfig({ ...server, DATA_DIR: folder }).unwiseSettings).toEqual([
        expect.stringContaining('DATA_DIR is in memory'),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('of what is set and has no effect', () => {
  const unread = (env: Record<string, string>, file = {}) =>
    readConfig({ DATA_DIR: dataDir, ...env }, file).unreadSettings;

  it('settings that others leave idle are named, and say what they wait for', () => {
    expect(unread({ YOOKASSA_SHOP_ID: '1', TELEGRAM_STARS: 'on', MAIL: 'outbox', SMTP_URL: 'smtp://mail' })).toEqual([
      'YOOKASSA_SHOP_ID is set, but not read without PAYMENTS=yookassa',
      'TELEGRAM_STARS is set, but not read without TELEGRAM_BOT_TOKEN',
      'SMTP_URL is set, but not read without another MAIL than «outbox»',
    ]);
    expect(unread({ COMFYUI_TOKEN: 'hunter2hunter2', ENGINE_WORKFLOWS_DIR: 'workflows' })).toEqual([
      'COMFYUI_TOKEN is set, but not read without COMFYUI_URLS',
      'ENGINE_WORKFLOWS_DIR is set, but not read without COMFYUI_URLS',
    ]);
    expect(unread({ TBANK_PASSWORD: 'hunter2hunter2', RECEIPT_VAT_CODE: '1' })).toEqual([
      'TBANK_PASSWORD is set, but not read without PAYMENTS=tbank',
      'RECEIPT_VAT_CODE is set, but not read without PAYMENTS=yookassa or tbank',
    ]);
    expect(unread({ FAL_USER_ID: 'auth0|1', ENGINE_MODELS: 'models.json' })).toEqual([
      'FAL_USER_ID is set, but not read without FAL_KEY',
      'ENGINE_MODELS is set, but not read without FAL_KEY',
    ]);
    expect(unread({ DATABASE_POOL: '4', MONITOR_PORT: '3001' })).toEqual([
      'DATABASE_POOL is set, but not read without DATABASE_URL',
      'MONITOR_PORT is set, but not read without ROLES that leave out api, which answers at PORT',
    ]);
    const worker = { DATABASE_URL: 'postgresql://podium@localhost/podium', ROLES: 'worker' };
    expect(unread({ ...worker, DATABASE_POOL: '4', MONITOR_PORT: '3001' })).toEqual([]);
    expect(unread(PRODUCTION_ENV)).toEqual([]);
  });

  it('an unknown setting that begins like ours is named', () => {
    const names = ['YOOKASSA_SECRET', 'SMTP_URLS', 'ENGINE_VIDEOS', 'ROBOKASSA_LOGIN', 'ROBOKASSA_PASSWORD_1'];
    expect(unread(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual(
      names.map((name) => `${name} is set, but is not known`),
    );
    // GNU parallel has variables of its own.
    expect(unread({ PARALLEL_SEQ: '1' })).toEqual([]);
  });

  it('variables of the machine are left alone, but not what stands in .env', () => {
    const machine = {
      PATH: '/bin',
      HOME: '/root',
      HOSTNAME: 'box',
      MAIL: '/var/mail/root',
      NODE_OPTIONS: '',
      NODE_PATH: '/lib',
      USER: 'root',
      SHELL: '/bin/sh',
      LANG: 'C',
      TERM: 'xterm',
      PWD: '/',
      OLDPWD: '/',
      LOGNAME: 'root',
      CI: '1',
      npm_lifecycle_event: 'start',
      TEST_DATABASE_URL: 'postgresql://localhost/x',
      EDITOR: 'vi',
      http_proxy: 'x',
    };
    expect(unread(machine)).toEqual([]);
    expect(unread(machine, { POSTGRES_PASSWORD: 'x', PORT: '3001' })).toEqual([
      'POSTGRES_PASSWORD stands in .env, but is not known',
    ]);
  });
});

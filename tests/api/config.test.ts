import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#api/config.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'podium-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const SECRET = 'a-secret-of-more-than-32-characters';
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://podium.example', SESSION_SECRET: SECRET };

const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env });

describe('in production', () => {
  it('a start with an https address and a secret is allowed', () => {
    expect(read(PRODUCTION)).toMatchObject({ isProduction: true, sessionSecret: SECRET });
  });

  it.each([
    [{ PUBLIC_URL: 'http://podium.example' }, 'PUBLIC_URL: an https address in production'],
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL: an https address in production'],
    [{ SESSION_SECRET: '' }, 'SESSION_SECRET: must be set in production'],
  ])('%j is refused', (env, complaint) => {
    expect(() => read({ ...PRODUCTION, ...env })).toThrow(complaint);
  });
});

describe('roles', () => {
  it('are all of them unless said otherwise, each named once', () => {
    expect(read().roles).toEqual(['api', 'worker', 'bot']);
    expect(read({ ROLES: 'worker, api,worker,bot' }).roles).toEqual(['worker', 'api', 'bot']);
  });

  it.each(['api', 'api,worker', 'api,api,api'])('%s alone needs a database server', (roles) => {
    expect(() => read({ ROLES: roles })).toThrow('ROLES: roles can run apart only with DATABASE_URL');
    expect(read({ ROLES: roles, DATABASE_URL: 'postgresql://localhost/podium' }).roles).toContain('api');
  });

  it('of another name are refused', () => {
    expect(() => read({ ROLES: 'api,cook' })).toThrow(/^Configuration:\n {2}ROLES: .* \(is «api,cook»\)$/);
  });
});

it('an empty variable counts as one that is not set', () => {
  expect(read({ PORT: '', DATABASE_URL: '', SMTP_URL: '', LOG_LEVEL: '', TRUSTED_PROXIES: '' })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
    smtpUrl: undefined,
    logLevel: 'info',
    trustedProxies: [],
  });
});

it('a secret that is not given is made once, for the owner’s eyes only', () => {
  const { sessionSecret } = read();
  expect(sessionSecret.length).toBeGreaterThanOrEqual(32);
  const file = path.join(dataDir, 'secrets/session-secret');
  expect(readFileSync(file, 'utf8')).toBe(sessionSecret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  expect(read().sessionSecret).toBe(sessionSecret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  ['SESSION_SECRET', 'hunter2'],
  ['DATABASE_URL', 'mysql://podium:hunter2@localhost/podium'],
  ['SMTP_URL', 'http://podium:hunter2@mail.example'],
])('a complaint about %s does not print its value', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^(?![^]*hunter2)[^]*${name}: `));
});

it('a wrong value is named and printed where it is no secret', () => {
  expect(() => read({ PORT: 'abc' })).toThrow(/PORT: .* \(is «abc»\)/);
});

it('trusted proxies are addresses and ranges', () => {
  const proxies = ['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8'];
  expect(read({ TRUSTED_PROXIES: proxies.join(', ') }).trustedProxies).toEqual(proxies);
  for (const wrong of ['nginx', '10.0.0.0/33', '127.0.0.1,true']) {
    expect(() => read({ TRUSTED_PROXIES: wrong })).toThrow(/TRUSTED_PROXIES: addresses such as/);
  }
});

describe('the encoder', () => {
  it('is a program that can be run, by its path or by a name in PATH', () => {
    const program = path.join(dataDir, 'my-ffmpeg');
    const complaint = `VIDEO_ENCODER: node-av, or a program that can be run (is «${program}»)`;
    expect(() => read({ VIDEO_ENCODER: program })).toThrow(complaint);
    writeFileSync(program, '', { mode: 0o644 });
    expect(() => read({ VIDEO_ENCODER: program })).toThrow(complaint);
    chmodSync(program, 0o755);
    expect(read({ VIDEO_ENCODER: program }).videoEncoder).toBe(program);
    expect(read({ VIDEO_ENCODER: 'my-ffmpeg', PATH: `/nowhere:${dataDir}` }).videoEncoder).toBe('my-ffmpeg');
    expect(() => read({ VIDEO_ENCODER: 'my-ffmpeg', PATH: '/nowhere' })).toThrow('VIDEO_ENCODER');
    expect(() => read({ VIDEO_ENCODER: dataDir })).toThrow('VIDEO_ENCODER');
  });
});

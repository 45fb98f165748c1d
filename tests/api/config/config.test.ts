import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inspectConfig, readConfig } from '#api/config/config.ts';
import { setRussianValidationTexts } from '#api/plugins/error-handler.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'podium-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env });

describe('in production', () => {
  it('a start with everything it needs is allowed', () => {
    const { operator, ...config } = read(PRODUCTION_ENV);
    expect(config).toMatchObject({ isProduction: true, sessionSecret: PRODUCTION_ENV.SESSION_SECRET });
    expect(operator).toMatchObject({ name: PRODUCTION_ENV.OPERATOR_NAME, isSample: false });
  });

  it.each([
    [{ PUBLIC_URL: 'http://podium.example' }, 'PUBLIC_URL: an https address in production'],
    [{ PUBLIC_URL: '' }, 'PUBLIC_URL: an https address in production'],
    [{ SESSION_SECRET: '' }, 'SESSION_SECRET: must be set in production'],
    [{ VAPID_PRIVATE_KEY: '', VAPID_PUBLIC_KEY: '' }, 'VAPID_PRIVATE_KEY: must be set in production'],
    [{ VAPID_PRIVATE_KEY: '' }, 'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: both or neither'],
    [{ VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E` }, 'VAPID_PUBLIC_KEY: not the public half of VAPID_PRIVATE_KEY'],
    [{ VAPID_SUBJECT: 'support' }, 'VAPID_SUBJECT: mailto: and an address'],
    [{ PUSH_HOSTS: 'https://push.example.com' }, 'PUSH_HOSTS: '],
    [{ SMTP_URL: '' }, 'SMTP_URL: must be set in production'],
    [{ SMTP_URL: '', MAIL: '/var/mail/root' }, 'SMTP_URL: must be set in production'],
    [{ SMTP_URL: 'smtp://mail.example?tls=no' }, 'SMTP_URL: an address that ends after its port, or in ?tls=off'],
    [{ SMTP_URL: 'smtps://mail.example?tls=off' }, 'SMTP_URL: an address that ends after its port, or in ?tls=off'],
    [{ PAYMENTS: '' }, 'PAYMENTS: a real provider in production'],
    [{ PAYMENTS: 'sandbox' }, 'PAYMENTS: a real provider in production'],
  ])('%j is refused', (env, complaint) => {
    expect(() => read({ ...PRODUCTION_ENV, ...env })).toThrow(complaint);
  });

  it.each([
    ['smtp://mail.example', 'required'],
    ['smtp://podium:secret@mail.example:25', 'required'],
    ['smtp://localhost.example', 'required'],
    ['smtp://10.0.0.1:25', 'required'],
    ['smtp://mail.example:25?tls=off', 'off'],
    ['smtp://localhost:25', 'if offered'],
    ['smtp://127.0.0.1', 'if offered'],
    ['smtp://[::1]:25', 'if offered'],
  ])('mails to %s go with TLS: %s', (address, tls) => {
    expect(read({ ...PRODUCTION_ENV, SMTP_URL: address }).smtpTls).toBe(tls);
  });

  it('mails may go into files on purpose', () => {
    expect(read({ ...PRODUCTION_ENV, SMTP_URL: '', MAIL: 'outbox' }).smtpUrl).toBeUndefined();
    expect(read({ ...PRODUCTION_ENV, MAIL: 'outbox' }).smtpUrl).toBeUndefined();
    expect(() => read({ MAIL: 'pigeon' })).toThrow('MAIL: outbox (is «pigeon»)');
  });

  it('sample data of the operator is refused, and everything that is missing is named', () => {
    const missing = {
      OPERATOR_NAME: '',
      OPERATOR_OGRNIP: '000000000000000',
      OPERATOR_INN: '000000000000',
      OPERATOR_EMAIL: '',
      OPERATOR_MESSENGER_URL: '',
    };
    for (const name of Object.keys(missing)) {
      expect(() => read({ ...PRODUCTION_ENV, ...missing })).toThrow(`\n  ${name}: must be set in production`);
    }
  });
});

describe('the operator', () => {
  it('is an example until everything about them is set', () => {
    const env = { ...PRODUCTION_ENV, NODE_ENV: 'test' };
    expect(read().operator).toMatchObject({ email: 'support@podium.example', isSample: true });
    expect(read({ ...env, OPERATOR_INN: '' }).operator).toMatchObject({ name: env.OPERATOR_NAME, isSample: true });
    expect(read(env).operator.isSample).toBe(false);
  });

  it.each([
    ['OPERATOR_OGRNIP', '3045001160001'],
    ['OPERATOR_INN', '50010073225'],
    ['OPERATOR_EMAIL', 'help'],
    ['OPERATOR_MESSENGER_URL', '@help'],
    ['LEGAL_DOCUMENTS_REVIEWED', 'yes'],
  ])('a wrong %s is refused by its name', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name}: `);
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

it('programs that start at the same moment agree on a secret', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `secret-${index}`);
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { dataDir, names, file, gate } = workerData;
    import(file).then(({ MADE_WHEN_MISSING }) => {
      const flag = new Int32Array(gate);
      Atomics.add(flag, 0, 1);
      while (Atomics.load(flag, 0) < 3);
      parentPort.postMessage(names.map((name) => MADE_WHEN_MISSING.readSecret(dataDir, name)));
    });`;
  const file = pathToFileURL(path.resolve('api/config/files.ts')).href;
  const workerData = { dataDir, names, file, gate: new SharedArrayBuffer(4) };
  const programs = [1, 2, 3].map(() => new Worker(code, { eval: true, workerData }));
  const [first, ...others] = await Promise.all(programs.map(async (program) => (await once(program, 'message'))[0]));
  expect(first.every((secret: string) => secret.length >= 32)).toBe(true);
  expect(others).toEqual([first, first]);
  expect(readdirSync(path.join(dataDir, 'secrets')).sort()).toEqual([...names].sort());
});

it.each([
  ['SESSION_SECRET', 'hunter2'],
  ['DATABASE_URL', 'mysql://podium:hunter2@localhost/podium'],
  ['SMTP_URL', 'http://podium:hunter2@mail.example'],
])('a complaint about %s does not print its value', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^(?![^]*hunter2)[^]*${name}: `));
});

describe('a complaint names the setting, what is expected and what was found', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT: a number (is «abc»)'],
    [{ PORT: '3000.5' }, 'PORT: a whole number (is «3000.5»)'],
    [{ PORT: '70000' }, 'PORT: at most 65535 (is «70000»)'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: one of trace, debug, info, warn, error, fatal, silent (is «loud»)'],
    [{ ENGINE: 'magic' }, 'ENGINE: one of local, fal, comfyui (is «magic»)'],
    [{ ENGINE_VIDEO: 'comfyui' }, 'COMFYUI_URLS: must be set for the engine comfyui (is not set)'],
    [{ COMFYUI_URLS: 'gpu:8188' }, 'COMFYUI_URLS: an http(s) address (what is set is not shown)'],
    [
      { COMFYUI_URLS: 'http://me:secret@gpu:8188' },
      'COMFYUI_URLS: http(s) addresses without password and query (what is set is not shown)',
    ],
    [
      { COMFYUI_URLS: 'http://gpu:8188', COMFYUI_TOKEN: 'with space' },
      'COMFYUI_TOKEN: at least 8 letters, digits and signs (what is set is not shown)',
    ],
    [{ ADMIN_USER_IDS: 'boss' }, 'ADMIN_USER_IDS: a number (is «boss»)'],
    [{ OPERATOR_NAME: 'ИП' }, 'OPERATOR_NAME: at least 3 characters (is «ИП»)'],
    [{ SESSION_SECRET: 'hunter2' }, 'SESSION_SECRET: at least 32 characters (what is set is not shown)'],
    [{ PAYMENTS: 'yookassa' }, 'YOOKASSA_SHOP_ID: must be set for PAYMENTS=yookassa (is not set)'],
    [{ NODE_ENV: 'production' }, 'PUBLIC_URL: an https address in production (is not set)'],
    [
      { NODE_ENV: 'production' },
      'PAYMENTS: a real provider in production, because no money moves in the sandbox (is not set)',
    ],
  ])('%j', (env, complaint) => {
    // The process may have switched the validation texts to Russian for its visitors.
    setRussianValidationTexts();
    expect(() => read(env)).toThrow(`\n  ${complaint}`);
  });
});

describe('the engine fal', () => {
  const FAL_KEY = 'key-id:key-secret-secret';

  const names = ['ENGINE', 'ENGINE_VIDEO', 'ENGINE_MODEL_CHANGE', 'ENGINE_PHOTOSESSION', 'ENGINE_TRY_ON'];
  it.each(names)('as %s needs its key', (name) => {
    expect(() => read({ [name]: 'fal' })).toThrow('FAL_KEY: must be set for the engine fal (is not set)');
    expect(read({ [name]: 'fal', FAL_KEY }).fal).toMatchObject({ key: FAL_KEY, queueUrl: 'https://queue.fal.run' });
  });

  it('is there with its key although no tool is made by it, for the orders of earlier days', () => {
    expect(read({ FAL_KEY })).toMatchObject({ engines: { video: 'local' }, fal: { key: FAL_KEY } });
    expect(read().fal).toBeNull();
  });

  it('believes notifications only when the account is known', () => {
    expect(read({ FAL_KEY }).fal?.webhooks).toBeNull();
    expect(read({ FAL_KEY, FAL_USER_ID: 'auth0|1' }).fal?.webhooks).toEqual({
      jwksUrl: 'https://rest.fal.ai/.well-known/jwks.json',
      userId: 'auth0|1',
    });
  });

  it('starts in production only with a ceiling of what it costs', () => {
    const env = { ...PRODUCTION_ENV, ENGINE_TRY_ON: 'fal', FAL_KEY };
    expect(() => read(env)).toThrow('ENGINE_DAILY_BUDGET: must be set in production');
    expect(read({ ...env, ENGINE_DAILY_BUDGET: '20' }).engineDailyBudgetMicros).toBe(20_000_000);
    expect(read({ ENGINE_TRY_ON: 'fal', FAL_KEY }).engineDailyBudgetMicros).toBeNull();
  });

  it('keeps its key out of complaints', () => {
    expect(() => read({ ENGINE: 'fal', FAL_KEY: 'кириллица' })).toThrow(/FAL_KEY: .*not shown/);
  });
});

describe('DATA_DIR', () => {
  it.each(['file', 'file/below'])('%s, which cannot be a folder, is refused by its name', (name) => {
    writeFileSync(path.join(dataDir, 'file'), '');
    const folder = path.join(dataDir, name);
    const complaint = `DATA_DIR: a folder that can be made and written to (is «${folder}», and ${dataDir}/file`;
    expect(() => read({ DATA_DIR: folder })).toThrow(complaint);
    expect(() => read({ ...PRODUCTION_ENV, DATA_DIR: folder })).toThrow(complaint);
  });
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

it('authorities that are trusted beside the known ones come from a file of certificates', async () => {
  const file = path.join(dataDir, 'authorities.pem');
  const made = await Promise.all([makeCertificate(), makeCertificate()]);
  const [one = '', other] = made.map(({ certificate }) => certificate.trim());
  writeFileSync(file, `# root\n${one}\n\n${other}\n`);
  expect(read({ EXTRA_CA_FILE: file }).extraAuthorities).toEqual([one, other]);
  expect(read().extraAuthorities).toEqual([]);
  for (const wrong of ['nothing', one.replace(/\n.{8}/, '\nAAAAAAAA')]) {
    writeFileSync(file, wrong);
    expect(() => read({ EXTRA_CA_FILE: file })).toThrow('EXTRA_CA_FILE: a file with certificates in PEM');
  }
  expect(() => read({ EXTRA_CA_FILE: path.join(dataDir, 'missing') })).toThrow('EXTRA_CA_FILE');
});

it('the pair of keys for push is made once and kept', () => {
  const first = read({}).push;
  expect(first.publicKey).toMatch(/^B[\w-]{86}$/);
  expect(read({}).push).toEqual(first);
  expect(first.subject).toBe('mailto:no-reply@localhost');
  expect(read({ MAIL_FROM: 'Подиум <mail@podium.example>' }).push.subject).toBe('mailto:mail@podium.example');
});

describe('a server for others', () => {
  const PUBLIC = [
    'https://podium.example',
    'http://podium.example',
    'HTTP://192.0.2.7:3000',
    'http://localhost.example',
  ];
  const LOOPBACK = ['http://localhost:3000', 'http://127.0.0.1:4000', 'http://[::1]:3000', 'https://localhost'];
  afterEach(() => vi.unstubAllEnvs());

  it.each(PUBLIC)('at %s that is told nothing of production does not start', (PUBLIC_URL) => {
    const told = 'NODE_ENV: production with a PUBLIC_URL other than localhost';
    expect(() => read({ PUBLIC_URL })).toThrow(new RegExp(`${told}, because .* \\(is not set\\)`));
    const given = new RegExp(`${told}, because .* \\(is «development»\\)`);
    expect(() => read({ PUBLIC_URL, NODE_ENV: 'development' })).toThrow(given);
  });

  it.each(PUBLIC)('at %s does not start as in tests, where nobody calls it', (PUBLIC_URL) => {
    for (const [name, value] of Object.entries({ PUBLIC_URL, NODE_ENV: 'test' })) vi.stubEnv(name, value);
    expect(() => inspectConfig()).toThrow(/NODE_ENV: production with .* \(is «test»\)/);
  });

  it('is none without a PUBLIC_URL, and at one of this machine', () => {
    expect(read().publicUrl).toBe('http://localhost:3000');
    for (const PUBLIC_URL of LOOPBACK) expect(read({ PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL);
  });
});

describe('the Telegram bot', () => {
  const token = '123456:AAE-a_token_of_a_telegram_bot';

  it('is off without a token, and asks Telegram unless the address is https', () => {
    expect(read().telegram).toMatchObject({ token: null, updates: 'polling', sellsStars: false });
    const https = { NODE_ENV: 'test', PUBLIC_URL: 'https://podium.example', TELEGRAM_BOT_TOKEN: token };
    expect(read(https).telegram).toMatchObject({ token, updates: 'webhook' });
    expect(read({ ...https, TELEGRAM_UPDATES: 'polling' }).telegram.updates).toBe('polling');
    expect(read(https).telegram.webhookSecret).toBe(read(https).telegram.webhookSecret);
  });

  it.each([
    [{ TELEGRAM_BOT_TOKEN: 'my-secret-token' }, 'TELEGRAM_BOT_TOKEN: the token that @BotFather gave'],
    [{ TELEGRAM_WEBHOOK_SECRET: 'short' }, 'TELEGRAM_WEBHOOK_SECRET: 16 to 256'],
    [{ TELEGRAM_FILES_DIR: '/no/such/folder' }, 'TELEGRAM_FILES_DIR: a folder that is there'],
    [{ TELEGRAM_UPDATES: 'webhook' }, 'TELEGRAM_UPDATES: polling, because Telegram calls only an https PUBLIC_URL'],
  ])('%j is refused, and no secret is printed', (env, complaint) => {
    expect(() => read(env)).toThrow(complaint);
    expect(() => read(env)).not.toThrow('my-secret-token');
  });
});

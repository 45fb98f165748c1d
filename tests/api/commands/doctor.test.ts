import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { checkClock } from '#api/commands/doctor/check-database.ts';
import { checkFiles } from '#api/commands/doctor/check-storage.ts';
import { runDoctorCommand } from '#api/commands/doctor/doctor.ts';
import { type Finding, ok } from '#api/commands/doctor/finding.ts';
import { countConnections } from '#api/config/connections.ts';
import { ROLES } from '#api/config/settings.ts';
import { openDatabase, openExistingDatabase } from '#api/database/database.ts';
import { lockFolder } from '#api/database/embedded/folder-lock.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';
import { createAccount, createImageResult, createPhoto } from '#tests/support/factories.ts';
import { createFakeFal, type FakeFal } from '#tests/support/fake-fal.ts';
import { startFakeS3 } from '#tests/support/fake-s3.ts';
import { type FakeSmtpServer, startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';
import { createFakeTelegram, FAKE_TOKEN, type FakeTelegram } from '#tests/support/fake-telegram.ts';
import { createFakeYookassa, FAKE_SHOP, type FakeYookassa } from '#tests/support/fake-yookassa.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { until } from '#tests/support/until.ts';

const log = createLogger({ logLevel: 'silent', isProduction: false });

let place: TestDatabasePlace;
let yookassa: FakeYookassa;
let telegram: FakeTelegram;
let fal: FakeFal;
let smtp: FakeSmtpServer;
let env: Record<string, string>;

beforeAll(async () => {
  [yookassa, telegram, fal] = await Promise.all([createFakeYookassa(), createFakeTelegram(), createFakeFal()]);
});
afterAll(() => Promise.all([yookassa.close(), telegram.close(), fal.close()]));
beforeEach(async () => {
  smtp = await startFakeSmtpServer();
  place = await createTestDatabase();
  env = {
    NODE_ENV: 'test',
    DATA_DIR: place.dataDir,
    ENGINE: 'fal',
    ...fal.settings,
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    PAYMENTS: 'yookassa',
    YOOKASSA_API_URL: yookassa.apiUrl,
    YOOKASSA_SHOP_ID: FAKE_SHOP.shopId,
    YOOKASSA_SECRET_KEY: FAKE_SHOP.secretKey,
    SMTP_URL: `smtp://robot:hidden@127.0.0.1:${smtp.port}`,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    TELEGRAM_BOT_TOKEN: FAKE_TOKEN,
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await smtp.close();
  await place.remove();
});

const { now } = Date;
/** Until the test ends, this machine's clock is wrong by so much. */
const shiftClock = (ms: number) => void vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);

/** The findings, whether or not anything failed. */
async function diagnose(changes: Record<string, string> = {}): Promise<Finding[]> {
  const text = await runDoctorCommand(['--json'], { ...env, ...changes }).catch((error: Error) => error.message);
  for (const secret of [FAKE_SHOP.secretKey, FAKE_TOKEN, 'hidden']) expect(text).not.toContain(secret);
  const findings: Finding[] = JSON.parse(text);
  // The tests' PostgreSQL is quick instead of safe.
  return findings.filter((finding) => !/fsync|synchronous_commit/.test(finding.text));
}

/** What is not right with one part. */
async function findTroubles(part: string, changes?: Record<string, string>): Promise<string[]> {
  const troubles = (await diagnose(changes)).filter((one) => one.part === part && one.state !== 'ok');
  return troubles.map(({ state, text }) => `${state}: ${text}`);
}

async function change(sql: string): Promise<void> {
  const database = await openDatabase(place, log);
  await database.pool.query(sql);
  await database.close();
}

/** Every file in the storage of the disk. */
function listStored(): string[] {
  const entries = readdirSync(path.join(place.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

test('everything that is configured is asked, and nothing is sent or left behind', async () => {
  mkdirSync(path.join(place.dataDir, 'files/photos/7'), { recursive: true });
  writeFileSync(path.join(place.dataDir, 'files/photos/7/master.jpg'), 'kept');
  const stored = listStored();
  const before = readdirSync(place.dataDir);
  const findings = await diagnose();
  expect(findings.filter(({ state }) => state === 'failed').map(({ part }) => part)).toEqual([]);
  const looked = ['settings', 'database', 'migrations', 'queue', 'clock', 'books', 'files', 'storage', 'space'];
  for (const part of [...looked, 'secrets', 'mail', 'payments', 'bot', 'push', 'engine']) {
    expect(findings.some((one) => one.part === part && one.state === 'ok')).toBe(true);
  }
  const engines = findings.filter(({ part }) => part === 'engine').map(({ text }) => text);
  expect(engines).toEqual(['local: works in the process itself', 'fal: it answers and knows our key']);
  expect(smtp.mails).toEqual([]);
  expect(fal.calls.submit).toBe(0);
  const made = readdirSync(place.dataDir).filter((name) => !before.includes(name) && !name.startsWith('in-use.'));
  expect(made).toEqual([]);
  expect(listStored()).toEqual(stored);
});

test('each part that refuses us is named with what to look at', async () => {
  smtp.refuseLogins();
  const findings = await diagnose({
    YOOKASSA_SECRET_KEY: 'test_another-secret',
    FAL_KEY: 'another-key-id:another-key-secret',
    TELEGRAM_BOT_TOKEN: '123456:another-token-of-another-bot',
  });
  const failures = findings.filter(({ state }) => state === 'failed');
  expect(failures.map(({ part, text }) => `${part}: ${text.split('. ').at(-1)}`)).toEqual([
    'mail: Look at SMTP_URL: address, port, user and password.',
    'payments: Look at YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY.',
    'bot: Look at TELEGRAM_BOT_TOKEN and TELEGRAM_API_ROOT.',
    'engine: fal: look at FAL_KEY, FAL_QUEUE_URL, FAL_REST_URL and docs/engines.md.',
  ]);
});

test('a budget of the day that is too small for one account is told with the number that it needs', async () => {
  const [trouble = ''] = await findTroubles('engine', { ENGINE_DAILY_BUDGET: '0.5' });
  expect(trouble).toMatch(/^warning: ENGINE_DAILY_BUDGET is 0\.5, and the dearest order of fal costs /);
  const [, needed = ''] = /so it needs ([\d.]+)/.exec(trouble) ?? [];
  expect(await findTroubles('engine', { ENGINE_DAILY_BUDGET: needed })).toEqual([]);
});

test('updates of the bot that go elsewhere are told, without the address, which is a secret', async () => {
  telegram.webhook = { url: 'https://elsewhere.example/secret-path', secretToken: '' };
  const troubles = await findTroubles('bot');
  telegram.webhook = null;
  expect(troubles).toEqual([expect.stringMatching(/^failed: Telegram sends updates elsewhere/)]);
  expect(troubles.join()).not.toContain('secret-path');
});

test('settings that a start would refuse are told, with nothing else', async () => {
  const findings = await diagnose({ PAYMENTS: 'sandbox,yookassa', PORT: 'no port' });
  expect(findings.map(({ part }) => part)).toEqual(findings.map(() => 'settings'));
  expect(findings.map(({ text }) => text).join()).toContain('PORT');
});

test('a folder that is not there is named and not made', async () => {
  const missing = path.join(place.dataDir, 'mistyped');
  expect(await findTroubles('settings', { DATA_DIR: missing })).toContainEqual(
    expect.stringContaining(`(is «${missing}», which does not exist)`),
  );
  expect(existsSync(missing)).toBe(false);
});

test('a missing file, books that do not agree and a migration of a newer version are found', async () => {
  const database = await openDatabase(place, log);
  const account = await createAccount({ db: database.db }, { stars: 2 });
  const photo = await createPhoto({ db: database.db }, account.id);
  await database.close();
  await change(`update accounts set star_balance = 3`);
  await change(`insert into _prisma_migrations (id, checksum, migration_name, finished_at)
    values ('1', 'x', '29990101000000_future', now())`);
  expect(await findTroubles('files')).toEqual([expect.stringMatching(/^failed: 3 that rows name are missing/)]);
  expect((await findTroubles('files')).join()).toContain(photo.masterKey);
  expect(await findTroubles('books')).toEqual([expect.stringMatching(/^failed: 2 of their sums do not agree/)]);
  expect(await findTroubles('migrations')).toEqual([expect.stringContaining('29990101000000_future')]);
});

test.runIf(Boolean(process.env.TEST_DATABASE_URL))(
  'a server with too few connections for the processes that run is told',
  async () => {
    const running = new pg.Client({ connectionString: place.databaseUrl, application_name: 'podium api 5000 4f2c1a' });
    await running.connect();
    const troubles = await findTroubles('database');
    await running.end();
    expect(troubles).toEqual([
      expect.stringMatching(/^warning: .* take at most 5\d{3} connections, .*Raise max_connections to 5\d{3} or more/),
    ]);
  },
);

test('a result whose file has another size is found', async () => {
  const testApp = await createTestApp();
  const { app } = testApp;
  const account = await createAccount(app);
  const { originalKey } = await createImageResult(app, account.id, { width: 320, height: 420 });
  const before = await checkFiles(app);
  await app.storage.put(originalKey, Buffer.from('half of it'), 'image/webp');
  const after = await checkFiles(app);
  await app.db.result.updateMany({ data: { lostAt: new Date() } });
  const known = await checkFiles(app);
  await testApp.close();
  const broken = expect.stringContaining(`have another size than they were stored with: ${originalKey}.`);
  expect(before).not.toContainEqual({ state: 'failed', text: broken });
  expect(after).toContainEqual({ state: 'failed', text: broken });
  // Its owner has been told, so nothing is left to find out.
  expect(known).toContainEqual({ state: 'warning', text: expect.stringMatching(/^1 results are known as lost/) });
  expect(known).not.toContainEqual({ state: 'failed', text: broken });
});

test('a storage without most of the files is told in one line', async () => {
  const testApp = await createTestApp();
  const { app } = testApp;
  const account = await createAccount(app);
  for (const _ of [1, 2, 3, 4, 5]) await app.storage.remove((await createImageResult(app, account.id)).originalKey);
  const found = await checkFiles(app);
  await testApp.close();
  const text = expect.stringMatching(/^5 of the 5 oldest results have no file .* Is its disk mounted/);
  expect(found).toEqual([{ state: 'failed', text }]);
});

test('a database that cannot be reached is named, and the other parts are examined', async () => {
  const findings = await diagnose({ DATABASE_URL: 'postgresql://podium:hidden@127.0.0.1:1/podium' });
  expect(findings.filter(({ state }) => state === 'failed')).toMatchObject([
    { part: 'database', text: expect.stringMatching(/^DATABASE_URL: a PostgreSQL server .*127.0.0.1:1/) },
  ]);
  for (const part of ['storage', 'mail', 'payments', 'bot', 'engine']) {
    expect(findings).toContainEqual(expect.objectContaining({ part, state: 'ok' }));
  }
});

test('migrations that wait are named with what applies them', async () => {
  await change(`update _prisma_migrations set checksum = 'of another content'`);
  expect(await findTroubles('database')).toContainEqual(
    expect.stringMatching(/^failed: The database waits for migrations \(\d+_\w+\)\. npm start or db:migrate applies/),
  );
});

test('a mail server that has stopped is told', async () => {
  await smtp.close();
  expect(await findTroubles('mail')).toEqual([expect.stringMatching(/^failed: .*ECONNREFUSED.* Look at SMTP_URL/)]);
  smtp = await startFakeSmtpServer();
});

test.each([
  { maker: 'Amazon', isTerse: false },
  { maker: 'Ceph, whose errors have no message', isTerse: true },
])('each refusal of S3 is told with the setting to change ($maker)', async ({ isTerse }) => {
  const s3 = await startFakeS3({ isTerse });
  onTestFinished(() => s3.close());
  const checkS3 = (changes: Record<string, string> = {}) => findTroubles('storage', { ...s3.env, ...changes });
  const told = (code: string, advice: string) => [
    expect.stringMatching(new RegExp(`^failed: .*\\(.*${code}.*\\)\\. .*${advice}`)),
  ];
  expect(await checkS3()).toEqual([]);
  expect(await checkS3({ S3_SECRET_ACCESS_KEY: 'hidden-but-wrong' })).toEqual(
    told('SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY'),
  );
  expect(await checkS3({ S3_ACCESS_KEY_ID: 'nobody' })).toEqual(told('InvalidAccessKeyId', 'S3_ACCESS_KEY_ID'));
  expect(await checkS3({ S3_BUCKET: 'mistyped' })).toEqual(told('NoSuchBucket', 'S3_BUCKET'));
  expect(await checkS3({ S3_ENDPOINT: 'http://127.0.0.1:1' })).toEqual(told('ECONNREFUSED', 'S3_ENDPOINT'));
  s3.failAll({ kind: 'access_denied' });
  expect(await checkS3()).toEqual(told('AccessDenied', 'S3_ACCESS_KEY_ID'));
  s3.failAll({ kind: 'quota_exceeded', on: 'PUT' });
  expect(await checkS3()).toEqual(told('QuotaExceeded', 'quota of the bucket \\(S3_BUCKET\\)'));
});

test('a server with a certificate that nobody vouches for is told with EXTRA_CA_FILE', async () => {
  const { key, certificate } = await makeCertificate();
  const secure = await startFakeSmtpServer({ tls: 'only', certificate: { key, certificate } });
  onTestFinished(() => secure.close());
  expect(await findTroubles('mail', { SMTP_URL: `smtps://127.0.0.1:${secure.port}` })).toEqual([
    expect.stringMatching(/^failed: .*certificate.* in EXTRA_CA_FILE$/),
  ]);
});

test('a clock that is two minutes ahead is told', async () => {
  // It goes on, because the examination may take long on a busy machine.
  shiftClock(120_000);
  expect(await findTroubles('clock')).toContainEqual(
    expect.stringMatching(/^failed: it differs from 127\.0\.0\.1:\d+'s by 1[12]\d s\. Take the time from the network/),
  );
});

test.runIf(Boolean(process.env.TEST_DATABASE_URL))(
  'the wait for a connection to a busy database is not taken for a wrong clock',
  async () => {
    const database = await openDatabase(place, log);
    try {
      const taken = await Promise.all([1, 2, 3, 4].map(() => database.pool.connect()));
      // As if it waited for ten seconds. The pool gives up after five.
      shiftClock(-10_000);
      const checked = checkClock(database.db);
      await until(() => expect(database.pool.waitingCount).toBe(1));
      shiftClock(0);
      for (const client of taken) client.release();
      expect(await checked).toEqual(ok(`as the database's`));
    } finally {
      await database.close();
    }
  },
);

test.runIf(Boolean(process.env.TEST_DATABASE_URL))('the books may take two minutes for a statement', async () => {
  const database = await openExistingDatabase(place, log);
  const { rows } = await database.pool.query('show statement_timeout');
  await database.close();
  expect(rows).toEqual([{ statement_timeout: '2min' }]);
});

test('secrets that cannot be read are told', async () => {
  const secrets = path.join(place.dataDir, 'secrets');
  mkdirSync(path.join(secrets, 'vapid-private-key'), { recursive: true, mode: 0o700 });
  expect(await findTroubles('secrets')).toContainEqual(
    expect.stringMatching(/^failed: this user cannot read vapid-private-key in /),
  );
});

test('a folder of secrets that cannot be read is told', async () => {
  writeFileSync(path.join(place.dataDir, 'secrets'), '');
  expect(await findTroubles('secrets')).toEqual([
    expect.stringMatching(/^failed: ENOTDIR.*Does this user own DATA_DIR/),
  ]);
});

test('a job that waits for long and jobs that failed for good are told', async () => {
  const columns = 'name, data, state, created_on, start_after, completed_on, retry_limit, keep_until';
  await change(`insert into pgboss.job (${columns}) values
    ('send-receipt', '{}', 'created', now() - interval '1 hour', now() - interval '1 hour', null, 1, now() + interval '1 day'),
    ('send-notice', '{}', 'failed', now(), now(), now(), 1, now() + interval '1 day')`);
  expect(await findTroubles('queue')).toEqual([
    expect.stringContaining('send-receipt: the oldest job waits for 60 minutes'),
    expect.stringContaining('no worker has looked after the queue'),
    expect.stringContaining('send-notice: 1 failed for good'),
  ]);
});

test('a secret of the folder is told where the database may serve other machines, and no secret of a setting is', async () => {
  mkdirSync(path.join(place.dataDir, 'secrets'), { mode: 0o700 });
  for (const name of ['session-secret', 'telegram-webhook-secret'])
    writeFileSync(path.join(place.dataDir, 'secrets', name), 'x'.repeat(40), { mode: 0o600 });
  const given = { TELEGRAM_WEBHOOK_SECRET: 'w'.repeat(40) };
  const isShared = place.databaseUrl !== undefined;
  expect(await findTroubles('secrets', given)).toEqual(
    isShared
      ? [expect.stringMatching(/^warning: SESSION_SECRET: from .*Processes on other machines need the same/)]
      : [],
  );
  expect(await findTroubles('secrets', { ...given, SESSION_SECRET: 's'.repeat(40) })).toEqual([]);
});

test.skipIf(process.platform === 'win32')('secrets that others may read are told', async () => {
  const testApp = await createTestApp();
  const { dataDir } = testApp.app.config;
  chmodSync(path.join(dataDir, 'secrets/session-secret'), 0o644);
  const troubles = await findTroubles('secrets', { DATA_DIR: dataDir });
  await testApp.close();
  expect(troubles[0]).toMatch(/^failed: others may read session-secret/);
});

/** The folder of an embedded database, also where the others are on a server. */
async function makeEmbeddedFolder(): Promise<string> {
  const dataDir = path.join(place.dataDir, 'embedded');
  await copyEmbeddedTemplate(dataDir);
  return dataDir;
}

test('the embedded database of a running program is examined through its socket', async () => {
  const dataDir = await makeEmbeddedFolder();
  const running = await openDatabase({ dataDir, databaseUrl: undefined, connections: countConnections(ROLES) }, log);
  try {
    let isExamined = false;
    const examine = async () => {
      const findings = await diagnose({ DATA_DIR: dataDir, DATABASE_URL: '' });
      isExamined = true;
      return findings;
    };
    // The program goes on with statements of its own, in the one session that both use.
    const goOn = async () => {
      while (!isExamined) await running.db.account.count({ where: { id: 1 } });
    };
    const [findings] = await Promise.all([examine(), goOn()]);
    expect(findings).toContainEqual(expect.objectContaining({ part: 'books', state: 'ok' }));
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
  } finally {
    await running.close();
  }
});

test('while a process that starts holds the embedded database, nothing outside is asked again and again', async () => {
  const dataDir = await makeEmbeddedFolder();
  const lock = lockFolder(dataDir);
  // Each try to lock the folder is a statement.
  const tries = vi.spyOn(DatabaseSync.prototype, 'exec');
  const examined = diagnose({ DATA_DIR: dataDir, DATABASE_URL: '' });
  await until(() => expect(tries.mock.calls.length).toBeGreaterThan(3));
  const asked = smtp.countLogins();
  lock.release();
  expect(asked).toBe(0);
  expect(await examined).toContainEqual(expect.objectContaining({ part: 'books', state: 'ok' }));
  expect(smtp.countLogins()).toBe(1);
});

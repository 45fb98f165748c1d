import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createFakeFal } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS } from '#tests/support/fake-fal-rules.ts';
import { startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';
import { createFakeTelegram, FAKE_TOKEN } from '#tests/support/fake-telegram.ts';
import { FAKE_SHOP } from '#tests/support/fake-yookassa.ts';
import { findCode } from '#tests/support/outbox.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { changeForm, startServer, Visitor } from '#tests/support/running-server.ts';
import { TelegramChat } from '#tests/support/telegram-chat.ts';
import { until } from '#tests/support/until.ts';

const TOLD_MS = 60_000;
/** An error with its causes and their stacks fits. The client of a database takes about 15,000 characters. */
const LINE_MAX = 4_000;
/** What libraries keep in their objects, and no line of ours has. */
const OF_LIBRARY =
  /"(_\w+|\$\w+|client|socket|agent|payload|config|options|rawHeaders|connection|connectionParameters|cert)":/;

/** Each failure, and how the log tells of it. */
const TOLD = {
  mail: /535/,
  payments: /YooKassa could not be reached/,
  Telegram: /sendMessage/,
  engine: /answered by 500/,
  database: /57P01|terminat/,
};

test('every failure outside and every ended connection is told in a short line, without objects of a library', async () => {
  const [fal, telegram, smtp, postgres] = await Promise.all([
    createFakeFal(),
    createFakeTelegram(),
    startFakeSmtpServer(),
    startPrivatePostgres(),
  ]);
  onTestFinished(async () => {
    await Promise.all([fal.close(), telegram.close(), smtp.close(), postgres.stop()]);
  });
  const env = {
    ...fal.settings,
    ENGINE: 'fal',
    ENGINE_DAILY_BUDGET: '100',
    GARMENT_CHECK: 'off',
    TELEGRAM_BOT_TOKEN: FAKE_TOKEN,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    SMTP_URL: `smtp://robot:secret@127.0.0.1:${smtp.port}?tls=off`,
    MAIL_FROM: 'robot@podium.example',
    PAYMENTS: 'yookassa',
    YOOKASSA_SHOP_ID: FAKE_SHOP.shopId,
    YOOKASSA_SECRET_KEY: FAKE_SHOP.secretKey,
    YOOKASSA_API_URL: 'http://127.0.0.1:9/v3',
    LOG_LEVEL: 'debug',
  };
  const server = await startServer({ databaseUrl: postgres.url, env });
  onTestFinished(async () => void (await server.stop()));

  const visitor = new Visitor(server);
  const user = { email: 'anna@example.com', password: 'мокрый-зонтик', consentVersion: DOCUMENTS_VERSION };
  await visitor.json('POST', '/api/register', user);
  await until(() => expect(smtp.mails).not.toEqual([]));
  const verificationCode = findCode(await PostalMime.parse(smtp.mails[0]?.source ?? ''));
  await visitor.json('POST', '/api/verify-email', { verificationCode });
  await visitor.acceptTransfer();
  const imageId = await visitor.uploadPhoto(await drawProductPhoto('garment', { width: 900, height: 1200 }));

  smtp.refuseLogins();
  telegram.upset('sendMessage', { kind: 'hang_up' }, 3);
  fal.behave({ call: ['submit', FAL_ANSWERS.internal], times: 100 });
  const before = server.output().length;
  await visitor.request('POST', '/api/password-reset/request', { email: user.email });
  await visitor.request('POST', '/api/payments/create-invoice', { packageId: 1 });
  new TelegramChat(telegram).say('/start');
  await visitor.request('POST', '/api/change-model', changeForm(imageId));
  const read = () => server.output().slice(before);
  const listMissing = () => Object.entries(TOLD).flatMap(([failure, words]) => (words.test(read()) ? [] : [failure]));

  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const deadline = Date.now() + TOLD_MS; Date.now() < deadline && listMissing().length > 0; await wait(1_000)) {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
    );
  }
  await client.end();
  expect(listMissing()).toEqual([]);
  for (const line of read().trim().split('\n')) {
    expect(line.length, line.slice(0, 300)).toBeLessThanOrEqual(LINE_MAX);
    expect(line).not.toMatch(OF_LIBRARY);
  }
});

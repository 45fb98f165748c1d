import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { createFakeFal } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS } from '#tests/support/fake-fal-rules.ts';
import { startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';
import { createFakeTelegram, FAKE_TOKEN } from '#tests/support/fake-telegram.ts';
import { FAKE_SHOP } from '#tests/support/fake-yookassa.ts';
import { findCode } from '#tests/support/outbox.ts';
import { TelegramChat } from '#tests/support/telegram-chat.ts';
import type { AbuseCase } from './abuse-fixture.ts';
import { withDatabase } from './own-server.ts';
import { Customer } from './paid-engine.ts';

const TOLD_MS = 60_000;
/** An error with its causes and their stacks fits. The client of a database takes about 15,000 characters. */
const LINE_MAX = 4_000;
/** What libraries keep in their objects, and no line of ours has. */
const OF_LIBRARY =
  /"(_\w+|\$\w+|client|socket|agent|payload|config|options|rawHeaders|connection|connectionParameters|cert)":/;

/** Each failure, and how the log tells of it. */
const TOLD: Record<string, RegExp> = {
  mail: /535/,
  payments: /YooKassa could not be reached/,
  Telegram: /sendMessage/,
  engine: /answered by 500/,
  database: /57P01|terminat/,
};

/** Everything outside that can fail does so, and the database ends its connections. */
async function makeTrouble(): Promise<string> {
  const [fal, telegram, smtp] = await Promise.all([createFakeFal(), createFakeTelegram(), startFakeSmtpServer()]);
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
  try {
    return await withDatabase(env, async ({ server, pool }) => {
      const customer = new Customer(server);
      const person = { email: 'anna@example.com', password: 'мокрый-зонтик', consentVersion: DOCUMENTS_VERSION };
      await customer.json('POST', '/api/register', person);
      while (smtp.mails.length === 0) await wait(100);
      const verificationCode = findCode(await PostalMime.parse(smtp.mails[0]?.source ?? ''));
      await customer.json('POST', '/api/verify-email', { verificationCode });
      await customer.prepare();

      smtp.refuseLogins();
      telegram.upset('sendMessage', { kind: 'hang_up' }, 3);
      fal.behave({ call: ['submit', FAL_ANSWERS.internal], times: 100 });
      const before = server.output().length;
      await customer.request('POST', '/api/password-reset/request', { email: person.email });
      await customer.request('POST', '/api/payments/create-invoice', { packageId: 1 });
      new TelegramChat(telegram).say('/start');
      await customer.change();
      const read = () => server.output().slice(before);
      for (const deadline = Date.now() + TOLD_MS; Date.now() < deadline; await wait(1_000)) {
        const others = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()';
        await pool.query(`${others} and datname is not null`);
        if (Object.values(TOLD).every((words) => words.test(read()))) break;
      }
      const lines = read().trim().split('\n');
      const told = Object.keys(TOLD).filter((name) => TOLD[name]?.test(read()));
      const longest = Math.max(...lines.map(({ length }) => length));
      const object = lines.map((line) => OF_LIBRARY.exec(line)?.[0]).find((key) => key !== undefined);
      const length = longest <= LINE_MAX ? `under ${LINE_MAX}` : `${longest}`;
      return `told: ${told.join(', ')}; the longest line ${length} characters; ${object ? `an object with ${object}` : 'no object of a library'}`;
    });
  } finally {
    await Promise.all([fal.close(), telegram.close(), smtp.close()]);
  }
}

/** What the log tells of failures. */
export const LOG_CASES: AbuseCase[] = [
  {
    name: 'a mail server, a shop, a chat and an engine that refuse, and connections that the database ends',
    expected: `told: ${Object.keys(TOLD).join(', ')}; the longest line under ${LINE_MAX} characters; no object of a library`,
    try: makeTrouble,
  },
];

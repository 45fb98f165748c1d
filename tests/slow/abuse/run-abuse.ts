// `npm run test:slow -- abuse`: attacks a server as it runs in production and prints, for each attempt, the answer that must come
// and the one that came. It takes some minutes, because slow headers have a minute. A further `--only=settings` runs the themes
// whose title contains the word.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { telegramWebhookPath } from '#api/services/chat/webhook.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';
import { startServer } from '#tests/support/running-server.ts';
import { type AbuseCase, AbuseFixture } from './abuse-fixture.ts';
import { ADMINISTRATOR_PASSWORD, Administrator } from './administrator.ts';
import { administratorCases } from './administrators.ts';
import { CHAT_ACCESS_CASES } from './chat-access.ts';
import { CONSENT_CASES } from './consents.ts';
import { ERASURE_CASES } from './erasure.ts';
import { ACCOUNT_CASES, FORGED_CASES, HANG_UP_CASES } from './forged-requests.ts';
import { hostileRequestCases } from './hostile-requests.ts';
import { LOCK_OUT_CASES } from './lock-outs.ts';
import { LOG_CASES } from './log.ts';
import { PHOTO_CASES } from './photos.ts';
import { SETTINGS_CASES } from './production-settings.ts';
import { REFUND_CASES } from './refunds.ts';
import { SIGNUP_STAR_CASES } from './signup-stars.ts';
import { CONNECTION_CASES, SLOW_CALLER_CASES } from './slow-callers.ts';
import { ENGINE_CASES } from './used-up-engines.ts';

const TELEGRAM_SECRET = 'a-secret-of-the-webhook';
const { SMTP_URL: _, ...settings } = PRODUCTION_ENV;
/** Every door is open that hostile bodies can be sent to. Nobody answers at the addresses outside. */
const ENV = {
  ...settings,
  MAIL: 'outbox',
  LOG_LEVEL: 'warn',
  PAYMENTS: 'yookassa,tbank',
  YOOKASSA_WEBHOOK_ADDRESSES: '',
  TBANK_TERMINAL_KEY: '1700000000000',
  TBANK_PASSWORD: 'a-password-of-a-terminal',
  RECEIPT_TAX_SYSTEM: '2',
  TELEGRAM_BOT_TOKEN: '123456:AAE-token-of-no-bot-at-all',
  TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
  TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET,
};

await prepare({ pwa: true });
const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-abuse-'));
const server = await startServer({ dataDir, port: await findFreePort(), env: ENV });
const fixture = new AbuseFixture(server);
const administrator = new Administrator(dataDir);
let failed = 0;
let passed = 0;
try {
  await tell('Administrators', administratorCases(administrator));
  await administrator.enter(fixture);
  const signIn = () => administrator.signIn(fixture, ADMINISTRATOR_PASSWORD);
  const telegramWebhook = telegramWebhookPath({ telegram: { webhookSecret: TELEGRAM_SECRET } } as AppContext['config']);
  await tell('Settings of production', SETTINGS_CASES);
  await tell('Consents', CONSENT_CASES);
  await tell('Forged requests', FORGED_CASES);
  await tell('Accounts', ACCOUNT_CASES);
  await tell('Lock-outs', LOCK_OUT_CASES);
  await tell('Chat access', CHAT_ACCESS_CASES);
  await tell('Sign-up stars', SIGNUP_STAR_CASES);
  await tell('Photos', PHOTO_CASES);
  await tell('Engines that one account uses up', ENGINE_CASES);
  await tell('Refunds', REFUND_CASES);
  await tell('Erasure', ERASURE_CASES);
  await tell('The log', LOG_CASES);
  await tell('Connections', CONNECTION_CASES);
  await tell('Callers who hang up', HANG_UP_CASES);
  await tell('Hostile bodies', hostileRequestCases({ telegramWebhook, telegramSecret: TELEGRAM_SECRET, signIn }));
  if (isAsked('Slow callers')) {
    console.log('\n— Slow callers (all at once)');
    await Promise.all(SLOW_CALLER_CASES.map(check));
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Whether the theme is to be run. */
function isAsked(title: string): boolean {
  const only = process.argv.find((one) => one.startsWith('--only='))?.slice('--only='.length) ?? '';
  return title.toLowerCase().includes(only.toLowerCase());
}

async function tell(title: string, cases: AbuseCase[]): Promise<void> {
  if (!isAsked(title)) return;
  console.log(`\n— ${title}`);
  for (const one of cases) await check(one);
}

async function check(one: AbuseCase): Promise<void> {
  const seen = await one.try(fixture).catch((error: unknown) => `no answer: ${error}`);
  const isRight = seen === one.expected;
  if (isRight) passed += 1;
  else failed += 1;
  console.log(
    `${isRight ? 'ok    ' : 'FAILED'} ${one.name}\n         expected: ${one.expected}\n         seen:     ${seen}`,
  );
}

import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { PaymentProvider } from '#api/adapters/payments/payment-provider.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { telegramWebhookPath } from '#api/services/chat/webhook.ts';
import { warnOfSmallShares } from '#api/services/generations/engine-health/budget-shares.ts';
import { failed, ok, type Verdict, warning } from './finding.ts';

/** An error that Telegram reports is news for this long. */
const RECENT_SECONDS = 60 * 60;
const MANY_UPDATES = 100;
const CLOCK_WARNING_MS = 30_000;

/** Signs in at the mail server if its address names a user. Sends no mail. */
export async function checkMail({ mailer, config }: Pick<AppContext, 'mailer' | 'config'>): Promise<Verdict> {
  await mailer.check();
  if (config.smtpUrl) {
    if (new URL(config.smtpUrl).username) return ok(`${mailer.name}: the server takes our login`);
    const text = `${mailer.name}: the server answers; whether it takes mails without a login was not tried`;
    return config.isProduction ? warning(`${text}. Most want user and password in SMTP_URL`) : ok(text);
  }
  const text = 'mails are written to DATA_DIR/outbox and sent to nobody';
  return config.isProduction ? warning(`${text}, as MAIL=outbox says`) : ok(text);
}

/** A provider outside, also one that only settles earlier payments. */
export async function checkPayments({ name, checkout, isTest }: PaymentProvider): Promise<Verdict> {
  await checkout?.check();
  return ok(`${name}: it answers and knows our keys${isTest ? ' of a test shop' : ''}`);
}

/** Whether the token is valid, and whether updates reach us the way the settings say. */
export async function checkBot({ telegram: api, config }: Pick<AppContext, 'telegram' | 'config'>): Promise<Verdict[]> {
  if (!api) return [ok('off, TELEGRAM_BOT_TOKEN is not set')];
  const me = await api.getMe();
  const webhook = await api.getWebhookInfo();
  const expected = config.telegram.updates === 'webhook' ? config.publicUrl + telegramWebhookPath(config) : '';
  const verdicts = [ok(`@${me.username} by ${config.telegram.updates}`)];
  if (webhook.url !== expected) {
    // The address contains a secret, so it is not shown.
    verdicts.push(
      failed(
        'Telegram sends updates elsewhere. Start a process with the role bot, and no other program with this token',
      ),
    );
  }
  const errorAge = webhook.last_error_date === undefined ? null : Date.now() / 1000 - webhook.last_error_date;
  if (errorAge !== null && errorAge < RECENT_SECONDS) {
    verdicts.push(
      warning(`Telegram could not deliver an update: ${webhook.last_error_message ?? 'it does not say why'}`),
    );
  }
  if (webhook.pending_update_count > MANY_UPDATES) {
    verdicts.push(warning(`${webhook.pending_update_count} updates wait at Telegram. Does the bot run?`));
  }
  return verdicts;
}

/** Browsers accept pushes only from the key pair that they have subscribed with. */
export async function checkPush({ push, isProduction }: AppContext['config']): Promise<Verdict> {
  // That the keys are a pair is checked with the settings.
  if (isProduction && /localhost/.test(push.subject))
    return warning('VAPID_SUBJECT names localhost, which Apple refuses');
  return ok(`the keys are a pair; ${push.hosts.length} push services are allowed`);
}

/** An engine, without its prices where it has none and is not opened. */
export type ExaminedEngine = Pick<GenerationEngine, 'name' | 'check'> &
  (Pick<GenerationEngine, 'abilities' | 'outputsOfOrder' | 'priceOf'> | { priceOf?: never });

/** Whether the engine answers, and whether the day's budget lets one account start its dearest order. */
export async function checkEngine(config: AppContext['config'], engine: ExaminedEngine): Promise<Verdict[]> {
  const { name, check } = engine;
  await check?.();
  const small = engine.priceOf ? warnOfSmallShares(config, engine) : null;
  return [
    ok(check ? `${name}: it answers and knows our key` : `${name}: works in the process itself`),
    ...(small === null ? [] : [warning(small)]),
  ];
}

/** The HTTP header Date of an outside service tells whether both clocks, ours and the database's, are wrong. */
export async function checkOutsideClock(address: string): Promise<Verdict> {
  const answer = await fetch(new URL(address).origin, { method: 'HEAD', redirect: 'manual' });
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) return ok('no service outside tells the time');
  const offMs = Math.abs(date - Date.now());
  return offMs > CLOCK_WARNING_MS
    ? failed(
        `it differs from ${new URL(address).host}'s by ${Math.round(offMs / 1000)} s. Take the time from the network (NTP)`,
      )
    : ok(`as ${new URL(address).host}'s`);
}

import { createECDH, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/** The models and backgrounds that come with the code. */
const SHIPPED_CATALOGUE = path.join(import.meta.dirname, 'catalogue');

export const ROLES = ['api', 'worker', 'bot'] as const;

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const url = z.url({ protocol: /^https?$/, error: 'an http(s) address' }).transform((text) => text.replace(/\/$/, ''));
const ipRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'addresses such as 10.0.0.1 or ranges such as 10.0.0.0/8, with commas between them',
});
/** Documented by YooKassa, «Входящие уведомления». */
const YOOKASSA_ADDRESSES = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.156.11',
  '77.75.156.35',
  '77.75.154.128/25',
  '2a02:5180::/32',
];
/** The push services of Chrome and its relatives, Firefox, Safari and Edge. */
const PUSH_HOSTS = ['fcm.googleapis.com', '*.push.services.mozilla.com', 'web.push.apple.com', '*.notify.windows.com'];
/** For these an empty value says something: nothing is on the list. */
const EMPTY_IS_A_VALUE = new Set(['YOOKASSA_WEBHOOK_ADDRESSES']);

/** Of the NIST P-256 curve, as the Push API wants them: base64url without padding. */
const vapidPublicKey = z.string().regex(/^B[\w-]{86}$/, '87 letters of base64url that begin with B');
const vapidPrivateKey = z.string().regex(/^[\w-]{43}$/, '43 letters of base64url');
const pushHost = z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i, {
  error: 'names such as push.example.com or *.push.example.com, with commas between them',
});

const port = z.coerce.number().int().min(0).max(65_535);

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url.optional(),
  DATA_DIR: z.string().default('.data'),
  ROLES: list
    .pipe(z.array(z.enum(ROLES)).min(1))
    .transform((roles) => [...new Set(roles)])
    .default([...ROLES]),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'a postgresql:// address' }).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  SESSION_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  TRUSTED_PROXIES: list.pipe(z.array(ipRange)).default([]),
  ADMIN_USER_IDS: list.pipe(z.array(z.coerce.number<string>().int().min(1).max(999)).min(1)).default([3]),
  ENGINE: z.enum(['local']).default('local'),
  CATALOGUE_DIR: z.string().optional(),
  VIDEO_ENCODER: z.string().min(1).default('node-av'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  OPERATOR_NAME: z.string().trim().min(3).max(200).optional(),
  OPERATOR_OGRNIP: z
    .string()
    .regex(/^\d{15}$/, '15 digits')
    .optional(),
  OPERATOR_INN: z
    .string()
    .regex(/^(\d{10}|\d{12})$/, '12 digits of a sole trader, or 10 of a company')
    .optional(),
  OPERATOR_EMAIL: z.email('an e-mail address').optional(),
  OPERATOR_MESSENGER_URL: url.optional(),
  HELP_URL: url.optional(),
  LEGAL_DOCUMENTS_REVIEWED: z.iso.date('the date of a version, such as 2026-11-21').optional(),
  VAPID_PUBLIC_KEY: vapidPublicKey.optional(),
  VAPID_PRIVATE_KEY: vapidPrivateKey.optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'mailto: and an address, or an https address')
    .optional(),
  PUSH_HOSTS: list.pipe(z.array(pushHost).min(1)).default(PUSH_HOSTS),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, 'the token that @BotFather gave, such as 123456:AAE…')
    .optional(),
  TELEGRAM_API_ROOT: url.default('https://api.telegram.org'),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{16,256}$/, '16 to 256 letters, digits, _ and -')
    .optional(),
  TELEGRAM_UPDATES: z.enum(['webhook', 'polling']).optional(),
  TELEGRAM_STARS: z.enum(['on', 'off']).default('off'),
  PAYMENTS: z.enum(['sandbox', 'yookassa']).default('sandbox'),
  YOOKASSA_SHOP_ID: z.string().regex(/^\d+$/, 'the number of the shop').optional(),
  YOOKASSA_SECRET_KEY: z.string().min(8, 'at least 8 characters').optional(),
  YOOKASSA_API_URL: url.default('https://api.yookassa.ru/v3'),
  YOOKASSA_WEBHOOK_ADDRESSES: list.pipe(z.array(ipRange)).default(YOOKASSA_ADDRESSES),
  RECEIPT_VAT_CODE: z.coerce.number().int().min(1).max(12).default(1),
  RECEIPT_SUBJECT: z
    .string()
    .regex(/^[a-z_]+$/, 'a payment_subject such as service')
    .default('service'),
  RECEIPT_MODE: z.enum(['full_payment', 'full_prepayment']).default('full_payment'),
  RECEIPT_TAX_SYSTEM: z.coerce.number().int().min(1).max(6).optional(),
});

/** Stands in until the operator's own is set; the pages say so, and production refuses it. */
const SAMPLE_OPERATOR = {
  OPERATOR_NAME: 'ИП Образцов Образец Образцович',
  OPERATOR_OGRNIP: '000000000000000',
  OPERATOR_INN: '000000000000',
  OPERATOR_EMAIL: 'support@podium.example',
  OPERATOR_MESSENGER_URL: 'https://t.me/podium_help',
};
const OPERATOR_NAMES = Object.keys(SAMPLE_OPERATOR) as (keyof typeof SAMPLE_OPERATOR)[];

/** Values of these are never printed. */
const SECRET_NAME = /SECRET|KEY|TOKEN|PASSWORD|^(DATABASE|SMTP)_URL$/;

export type Config = ReturnType<typeof readConfig>;

/** A setting that is missing or wrong; the start stops and prints the message. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Variables of the process over those of `.env` in the working folder. */
export function readEnvironment(): Record<string, string | undefined> {
  const fromFile = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { ...fromFile, ...process.env };
}

/**
 * The only reader of the environment. An empty variable counts as one that is not set, but for
 * YOOKASSA_WEBHOOK_ADDRESSES. Throws ConfigError.
 */
export function readConfig(env: Record<string, string | undefined> = readEnvironment()) {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && (value !== '' || EMPTY_IS_A_VALUE.has(name))),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path: [name], message }) => describeProblem(String(name), message, given)),
    );
  }
  const values = parsed.data;
  const isProduction = values.NODE_ENV === 'production';
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const problems: string[] = [];
  if (!values.DATABASE_URL && values.ROLES.length < ROLES.length) {
    problems.push(
      'ROLES: roles can run apart only with DATABASE_URL, because the embedded database belongs to one process',
    );
  }
  if (values.VIDEO_ENCODER !== 'node-av' && !isProgram(values.VIDEO_ENCODER, given.PATH)) {
    problems.push(describeProblem('VIDEO_ENCODER', 'node-av, or a program that can be run', given));
  }
  if (isProduction && !publicUrl.startsWith('https://')) problems.push('PUBLIC_URL: an https address in production');
  if (isProduction && !values.SESSION_SECRET) problems.push('SESSION_SECRET: must be set in production');
  if (Boolean(values.VAPID_PUBLIC_KEY) !== Boolean(values.VAPID_PRIVATE_KEY)) {
    problems.push('VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: both or neither');
  } else if (values.VAPID_PRIVATE_KEY && deriveVapidKey(values.VAPID_PRIVATE_KEY) !== values.VAPID_PUBLIC_KEY) {
    problems.push('VAPID_PUBLIC_KEY: not the public half of VAPID_PRIVATE_KEY');
  }
  if (isProduction && !values.VAPID_PRIVATE_KEY) problems.push('VAPID_PRIVATE_KEY: must be set in production');
  const missingOperatorNames = OPERATOR_NAMES.filter(
    (name) => values[name] === undefined || values[name] === SAMPLE_OPERATOR[name],
  );
  if (isProduction) {
    for (const name of missingOperatorNames) {
      problems.push(`${name}: must be set in production, the public pages would show sample data`);
    }
  }
  if (isProduction && values.PAYMENTS === 'sandbox') {
    problems.push('PAYMENTS: a real provider in production (is «sandbox», where no money moves)');
  }
  if (values.PAYMENTS === 'yookassa') {
    for (const name of ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'] as const) {
      if (!values[name]) problems.push(`${name}: must be set for PAYMENTS=yookassa`);
    }
  }
  if (values.TELEGRAM_UPDATES === 'webhook' && !publicUrl.startsWith('https://')) {
    problems.push('TELEGRAM_UPDATES: polling, because Telegram calls only an https PUBLIC_URL');
  }
  const hasBotApart = values.ROLES.length < ROLES.length && values.TELEGRAM_BOT_TOKEN;
  if (hasBotApart && !values.TELEGRAM_WEBHOOK_SECRET) {
    problems.push('TELEGRAM_WEBHOOK_SECRET: must be set where roles run apart, because each would make its own');
  }
  if (problems.length > 0) throw new ConfigError(problems);

  const dataDir = path.resolve(values.DATA_DIR);
  const operator = { ...SAMPLE_OPERATOR, ...values };
  const mailFrom = values.MAIL_FROM ?? `Подиум <no-reply@${new URL(publicUrl).hostname}>`;
  const vapidKey = values.VAPID_PRIVATE_KEY ?? readOrMakeSecret(dataDir, 'vapid-private-key', makeVapidKey);
  const vapidPublic = deriveVapidKey(vapidKey);
  if (!vapidPublic) throw new ConfigError([`${dataDir}/secrets/vapid-private-key: not a key; remove it`]);
  return {
    nodeEnv: values.NODE_ENV,
    isProduction,
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    dataDir,
    roles: values.ROLES,
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    sessionSecret: values.SESSION_SECRET ?? readOrMakeSecret(dataDir, 'session-secret'),
    trustedProxies: values.TRUSTED_PROXIES,
    adminUserIds: values.ADMIN_USER_IDS,
    engine: values.ENGINE,
    catalogueDir: path.resolve(values.CATALOGUE_DIR ?? SHIPPED_CATALOGUE),
    videoEncoder: values.VIDEO_ENCODER,
    smtpUrl: values.SMTP_URL,
    mailFrom,
    push: {
      publicKey: vapidPublic,
      privateKey: vapidKey,
      subject: values.VAPID_SUBJECT ?? `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`,
      hosts: values.PUSH_HOSTS,
    },
    operator: {
      name: operator.OPERATOR_NAME,
      ogrnip: operator.OPERATOR_OGRNIP,
      inn: operator.OPERATOR_INN,
      email: operator.OPERATOR_EMAIL,
      messengerUrl: operator.OPERATOR_MESSENGER_URL,
      isSample: missingOperatorNames.length > 0,
    },
    helpUrl: values.HELP_URL ?? operator.OPERATOR_MESSENGER_URL,
    legalDocumentsReviewed: values.LEGAL_DOCUMENTS_REVIEWED,
    telegram: {
      /** Null: there is no bot. */
      token: values.TELEGRAM_BOT_TOKEN ?? null,
      apiRoot: values.TELEGRAM_API_ROOT,
      webhookSecret: values.TELEGRAM_WEBHOOK_SECRET ?? readOrMakeSecret(dataDir, 'telegram-webhook-secret', makeSecret),
      updates: values.TELEGRAM_UPDATES ?? (publicUrl.startsWith('https://') ? 'webhook' : 'polling'),
      sellsStars: values.TELEGRAM_STARS === 'on',
    },
    payments: values.PAYMENTS,
    yookassa: {
      shopId: values.YOOKASSA_SHOP_ID ?? '',
      secretKey: values.YOOKASSA_SECRET_KEY ?? '',
      apiUrl: values.YOOKASSA_API_URL,
      /** Empty: notifications are taken from everybody, and read back all the same. */
      webhookAddresses: values.YOOKASSA_WEBHOOK_ADDRESSES,
    },
    receipt: {
      vatCode: values.RECEIPT_VAT_CODE,
      subject: values.RECEIPT_SUBJECT,
      mode: values.RECEIPT_MODE,
      taxSystem: values.RECEIPT_TAX_SYSTEM,
    },
  };
}

function describeProblem(name: string, expected: string, given: Record<string, string | undefined>): string {
  return `${name}: ${expected}${SECRET_NAME.test(name) ? '' : ` (is «${given[name]}»)`}`;
}

/** `command` is a path, or a name to be found in `searchPath`. */
function isProgram(command: string, searchPath = ''): boolean {
  const isPath = path.basename(command) !== command;
  const files = isPath ? [command] : searchPath.split(path.delimiter).map((folder) => path.join(folder, command));
  return files.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      // Not there, or not to be run by us.
      return false;
    }
  });
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The private half of a new key pair. */
function makeVapidKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Node leaves leading zeros out.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

/** The public half of a private key; null when it is none of this curve. */
function deriveVapidKey(privateKey: string): string | null {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(privateKey, 'base64url');
  } catch {
    return null;
  }
  return pair.getPublicKey('base64url');
}

/** A secret of the embedded parts: made once, then read from DATA_DIR. */
function readOrMakeSecret(dataDir: string, name: string, make: () => string = makeSecret): string {
  const folder = path.join(dataDir, 'secrets');
  const file = path.join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, make(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(file, 0o600);
  }
  return readFileSync(file, 'utf8').trim();
}

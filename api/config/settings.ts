import { z } from 'zod';
import { PAGE_PROVIDERS, type PageProvider } from '#shared/rules/payment-providers.ts';

export const ROLES = ['api', 'worker', 'bot'] as const;
/** Allowed values of PAYMENTS. */
const OFFERABLE = ['sandbox', ...PAGE_PROVIDERS] as const;

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const url = z
  .url({ protocol: /^https?$/, error: 'an http(s) address' })
  .transform((text) => new URL(text).href.replace(/\/$/, ''));
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
/** For these settings an empty value means an empty list. */
const EMPTY_IS_A_VALUE = new Set(['YOOKASSA_WEBHOOK_ADDRESSES']);

/** A key of the NIST P-256 curve, as the Push API expects it: base64url without padding. */
const vapidPublicKey = z.string().regex(/^B[\w-]{86}$/, '87 letters of base64url that begin with B');
const vapidPrivateKey = z.string().regex(/^[\w-]{43}$/, '43 letters of base64url');
const pushHost = z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i, {
  error: 'names such as push.example.com or *.push.example.com, with commas between them',
});

const port = z.coerce.number().int().min(0).max(65_535);
/** Login shells set MAIL to a mailbox file. Such a value is ignored. */
const ownMail = z.preprocess(
  (value) => (typeof value === 'string' && value.startsWith('/') ? undefined : value),
  z.enum(['outbox']).optional(),
);

/** `tls=off` is the only thing that the query of a mail server's address may say, and it contradicts `smtps:`. */
function isMailAddress({ protocol, pathname, search, hash }: URL): boolean {
  const isPlain = search === '' || (search === '?tls=off' && protocol === 'smtp:');
  return isPlain && hash === '' && (pathname === '' || pathname === '/');
}

/** The engines that have an adapter. */
export const ENGINE_NAMES = ['local', 'fal', 'comfyui'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];
const engineName = z.enum(ENGINE_NAMES);
const comfyuiUrls = list
  .pipe(z.array(url).min(1))
  .refine((urls) => urls.every((one) => !/[?#@]/.test(one)), 'http(s) addresses without password and query')
  .transform((urls) => [...new Set(urls)]);

/** Every setting with its allowed values and its default. */
export const settings = z.object({
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
  DATABASE_POOL: z.coerce.number().int().min(2).max(1000).optional(),
  MONITOR_PORT: port.optional(),
  S3_ENDPOINT: url.optional(),
  S3_PUBLIC_ENDPOINT: url.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket: 3 to 63 small letters, digits, hyphens')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'a region such as ru-central1')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().min(3, 'at least 3 characters').optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(8, 'at least 8 characters').optional(),
  MEDIA_ACCEL: z.enum(['off', 'nginx']).default('off'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  SESSION_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  TRUSTED_PROXIES: list.pipe(z.array(ipRange)).default([]),
  COMMON_PASSWORDS: z.enum(['refuse', 'allow']).default('refuse'),
  ADMIN_USER_IDS: list.pipe(z.array(z.coerce.number<string>().int().min(1).max(999)).min(1)).default([3]),
  ENGINE: engineName.default('local'),
  ENGINE_VIDEO: engineName.optional(),
  ENGINE_MODEL_CHANGE: engineName.optional(),
  ENGINE_PHOTOSESSION: engineName.optional(),
  ENGINE_TRY_ON: engineName.optional(),
  ENGINE_DAILY_BUDGET: z.coerce.number().positive().optional(),
  ENGINE_FREE_RUNS: z.coerce.number().int().min(0).optional(),
  PARALLEL_ITEMS: z.coerce.number().int().min(1).max(100, 'at most 100').default(3),
  ENGINE_MODELS: z.string().optional(),
  GARMENT_CHECK: z.enum(['on', 'off']).default('on'),
  GARMENT_COLOUR_DIFFERENCE: z.coerce.number().min(0.5, 'at least 0.5').max(50, 'at most 50').default(3),
  GARMENT_PRINT_SIMILARITY: z.coerce.number().min(0).max(1, 'at most 1').default(0.88),
  FAL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'the key from the dashboard of fal.ai')
    .optional(),
  FAL_QUEUE_URL: url.default('https://queue.fal.run'),
  FAL_REST_URL: url.default('https://rest.fal.ai'),
  FAL_JWKS_URL: url.default('https://rest.fal.ai/.well-known/jwks.json'),
  FAL_USER_ID: z.string().min(3).optional(),
  ENGINE_WORKFLOWS_DIR: z.string().optional(),
  COMFYUI_URLS: comfyuiUrls.optional(),
  COMFYUI_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'at least 8 letters, digits and signs')
    .optional(),
  CATALOGUE_DIR: z.string().optional(),
  VIDEO_ENCODER: z.string().min(1).default('node-av'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'an smtp:// or smtps:// address' })
    .refine((address) => isMailAddress(new URL(address)), 'an address that ends after its port, or in ?tls=off')
    .optional(),
  MAIL: ownMail,
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
  TAG_MANAGER_ID: z
    .string()
    .regex(/^GTM-[A-Z0-9]{4,12}$/, 'the id of a container, such as GTM-AB12CD3')
    .optional(),
  LEGAL_DOCUMENTS_REVIEWED: z.templateLiteral([z.iso.date(), z.enum(['', '-abroad'])], 'such as 2026-11-23').optional(),
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
  TELEGRAM_FILES_DIR: z.string().optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{16,256}$/, '16 to 256 letters, digits, _ and -')
    .optional(),
  TELEGRAM_UPDATES: z.enum(['webhook', 'polling']).optional(),
  TELEGRAM_STARS: z.enum(['on', 'off']).default('off'),
  PAYMENTS: list
    .pipe(z.array(z.enum(OFFERABLE)).min(1))
    .transform((providers) => [...new Set(providers)])
    .default(['sandbox']),
  PAYMENTS_TEST: z.enum(['allow']).optional(),
  YOOKASSA_SHOP_ID: z.string().regex(/^\d+$/, 'the number of the shop').optional(),
  YOOKASSA_SECRET_KEY: z.string().min(8, 'at least 8 characters').optional(),
  YOOKASSA_API_URL: url.default('https://api.yookassa.ru/v3'),
  YOOKASSA_WEBHOOK_ADDRESSES: list.pipe(z.array(ipRange)).default(YOOKASSA_ADDRESSES),
  TBANK_TERMINAL_KEY: z
    .string()
    .regex(/^\w{1,20}$/, 'the key of the terminal, such as 1700000000000DEMO')
    .optional(),
  TBANK_PASSWORD: z.string().min(8, 'at least 8 characters').optional(),
  TBANK_API_URL: url.default('https://securepay.tinkoff.ru/v2'),
  RECEIPT_VAT_CODE: z.coerce.number().int().min(1).max(12).default(1),
  RECEIPT_SUBJECT: z
    .string()
    .regex(/^[a-z_]+$/, 'a payment_subject such as service')
    .default('service'),
  RECEIPT_MODE: z.enum(['full_payment', 'full_prepayment']).default('full_payment'),
  RECEIPT_TAX_SYSTEM: z.coerce.number().int().min(1).max(6).optional(),
  EXTRA_CA_FILE: z.string().optional(),
});

/** The settings that an operator's commands need. */
export const commandSettings = settings.pick({
  DATA_DIR: true,
  DATABASE_URL: true,
  ADMIN_USER_IDS: true,
  SESSION_SECRET: true,
  S3_ENDPOINT: true,
  S3_PUBLIC_ENDPOINT: true,
  S3_BUCKET: true,
  S3_REGION: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
  EXTRA_CA_FILE: true,
});
/** The settings that say where files are. */
export type StorageSettings = Pick<z.output<typeof commandSettings>, `S3_${string}` & keyof Settings>;

/** The settings that `npm run catalogue` needs. */
export const catalogueSettings = settings.pick({
  FAL_KEY: true,
  FAL_QUEUE_URL: true,
  FAL_REST_URL: true,
  FAL_JWKS_URL: true,
  FAL_USER_ID: true,
  ENGINE_MODELS: true,
  CATALOGUE_DIR: true,
  EXTRA_CA_FILE: true,
});
export type CatalogueSettings = z.output<typeof catalogueSettings>;

export type Settings = z.output<typeof settings>;
/** Variables of the process, or of `.env`. */
export type Environment = Record<string, string | undefined>;

/** The settings without which a provider cannot be called. All its settings begin with its name. */
export const PROVIDER_KEYS = {
  yookassa: ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
  tbank: ['TBANK_TERMINAL_KEY', 'TBANK_PASSWORD'],
} as const satisfies { [Name in PageProvider]: readonly (keyof Settings & `${Uppercase<Name>}_${string}`)[] };

type WithKeys<Name extends PageProvider> = Record<(typeof PROVIDER_KEYS)[Name][number], string>;

/** The key that shows that a shop is a test shop, in which no money moves, and its documented form. */
const TEST_KEYS = {
  yookassa: { key: 'YOOKASSA_SECRET_KEY', form: /^test_/ },
  tbank: { key: 'TBANK_TERMINAL_KEY', form: /DEMO$/ },
} as const satisfies { [Name in PageProvider]: { key: (typeof PROVIDER_KEYS)[Name][number]; form: RegExp } };

/** Whether the provider's keys are those of a test shop. */
export function hasTestKeys(values: Settings, name: PageProvider): boolean {
  const { key, form } = TEST_KEYS[name];
  return form.test(values[key] ?? '');
}

/** Whether a provider has its keys. Then its payments are checked even if PAYMENTS does not name it. */
export function hasKeys<Name extends PageProvider>(values: Settings, name: Name): values is Settings & WithKeys<Name> {
  return PROVIDER_KEYS[name].every((key) => values[key] !== undefined);
}

/** Writes one complaint in the form of describeProblem. */
export type DescribeWrong = (name: string, expected: string) => string;

/** Finds missing and contradictory settings of payments. */
export function findPaymentProblems(values: Settings, wrong: DescribeWrong): string[] {
  const { PAYMENTS } = values;
  const problems: string[] = [];
  if (PAYMENTS.includes('sandbox') && PAYMENTS.length > 1) {
    problems.push(wrong('PAYMENTS', 'sandbox alone, or real providers without it'));
  }
  if (PAYMENTS.includes('sandbox') && values.NODE_ENV === 'production') {
    problems.push(wrong('PAYMENTS', 'a real provider in production, because no money moves in the sandbox'));
  }
  for (const provider of PAGE_PROVIDERS) {
    const missing = PAYMENTS.includes(provider) ? PROVIDER_KEYS[provider].filter((name) => !values[name]) : [];
    for (const name of missing) problems.push(wrong(name, `must be set for PAYMENTS=${provider}`));
    const sellsForNothing = values.NODE_ENV === 'production' && values.PAYMENTS_TEST !== 'allow';
    if (sellsForNothing && PAYMENTS.includes(provider) && hasTestKeys(values, provider)) {
      problems.push(wrong(TEST_KEYS[provider].key, 'not of a test shop in production, or PAYMENTS_TEST=allow'));
    }
  }
  const hasTaxSystem = values.RECEIPT_TAX_SYSTEM !== undefined && values.RECEIPT_TAX_SYSTEM !== ABOLISHED_TAX_SYSTEM;
  if (hasKeys(values, 'tbank') && !hasTaxSystem) {
    problems.push(wrong('RECEIPT_TAX_SYSTEM', '1, 2, 3, 5 or 6, which receipts of T-Bank have to name'));
  }
  return problems;
}
/** ЕНВД, abolished in 2021. */
const ABOLISHED_TAX_SYSTEM = 4;

/** Values of these are never printed. */
const SECRET_NAME = /SECRET|KEY|TOKEN|PASSWORD|^(DATABASE_URL|SMTP_URL|COMFYUI_URLS)$/;

/** A setting is missing or wrong. The start stops and prints the message. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Drops variables that count as not set: empty ones, except where empty is a value. */
export function takeGiven(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && (value !== '' || EMPTY_IS_A_VALUE.has(name))),
  );
}

/** Parses the given variables and fills in defaults. Throws ConfigError with all that are wrong. */
export function parseSettings<Shape extends z.ZodType>(given: Environment, shape: Shape): z.output<Shape> {
  const parsed = shape.safeParse(given, { error: describeExpected });
  if (!parsed.success) throw new ConfigError(describeProblems(parsed.error, given));
  return parsed.data;
}

/** The first complaint about each name. `spell`: how the operator writes the name. */
export function describeProblems(error: z.ZodError, given: Environment, spell = (name: string) => name): string[] {
  const issues = Map.groupBy(error.issues, ({ path }) => String(path[0]));
  return [...issues].map(([name, [first]]) =>
    describeProblem(spell(name), first?.message ?? '', { [spell(name)]: given[name] }),
  );
}

/** One complaint: the name, the expected value and the found one, unless it is secret. */
export function describeProblem(name: string, expected: string, given: Environment): string {
  const found = given[name];
  if (found === undefined) return `${name}: ${expected} (is not set)`;
  return `${name}: ${expected} (${SECRET_NAME.test(name) ? 'what is set is not shown' : `is «${found}»`})`;
}

/** The expected value in words, for schemas without a text of their own. Used as `error` of zod's `parse`. */
export function describeExpected(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`;
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      return `at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    default:
      return 'something else';
  }
}
const UNITS: Record<string, string> = { string: ' characters', array: ' of them, with commas between' };

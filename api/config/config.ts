import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { PageProvider } from '#shared/rules/payment-providers.ts';
import { countConnections } from './connections.ts';
import { findEngineProblems, readEngines, readFal } from './engines.ts';
import {
  type DataFolder,
  deriveVapidKey,
  isProgram,
  MADE_WHEN_MISSING,
  makeVapidKey,
  readAuthorities,
  secretFile,
  UNTOUCHED_DATA_FOLDER,
} from './files.ts';
import {
  ConfigError,
  catalogueSettings,
  commandSettings,
  type DescribeWrong,
  describeProblem,
  type Environment,
  findPaymentProblems,
  hasKeys,
  hasTestKeys,
  parseSettings,
  ROLES,
  type Settings,
  settings,
  takeGiven,
} from './settings.ts';
import { findStorageProblems, readS3, readStorage } from './storage.ts';
import { describeUnread } from './unread-settings.ts';
import { describeUnwise } from './unwise-settings.ts';

export { ConfigError };

/** The models and backgrounds that come with the code. */
const SHIPPED_CATALOGUE = path.join(import.meta.dirname, '../catalogue');

/** Used until the operator's data is set. The pages say so, and production refuses it. */
const SAMPLE_OPERATOR = {
  OPERATOR_NAME: 'ИП Образцов Образец Образцович',
  OPERATOR_OGRNIP: '000000000000000',
  OPERATOR_INN: '000000000000',
  OPERATOR_EMAIL: 'support@podium.example',
  OPERATOR_MESSENGER_URL: 'https://t.me/podium_help',
};
/** The files in DATA_DIR that hold the secrets which no setting gives. */
const SECRET_FILES = {
  SESSION_SECRET: 'session-secret',
  VAPID_PRIVATE_KEY: 'vapid-private-key',
  TELEGRAM_WEBHOOK_SECRET: 'telegram-webhook-secret',
} as const;
type SecretName = keyof typeof SECRET_FILES;
const OPERATOR_NAMES = Object.keys(SAMPLE_OPERATOR) as (keyof typeof SAMPLE_OPERATOR)[];

/** Of an `smtp:` address. `smtps:` is TLS from the first byte. */
type SmtpTls = 'required' | 'if offered' | 'off';

export type Config = ReturnType<typeof readConfig>;

export type CommandConfig = ReturnType<typeof readCommandConfig>;

function readEnvFile(): Environment {
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
}

/** The settings of an operator's command. Creates nothing. `env` is for tests. Throws ConfigError. */
export function readCommandConfig(
  env: Environment = { ...readEnvFile(), ...process.env },
): Pick<Config, 'dataDir' | 'databaseUrl' | 'adminUserIds' | 'sessionSecret' | 's3' | 'extraAuthorities'> {
  const given = takeGiven(env);
  const values = parseSettings(given, commandSettings);
  const problems = [
    ...findStorageProblems(values),
    ...findAuthorityProblems(values, (name, expected) => describeProblem(name, expected, given)),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const dataDir = path.resolve(values.DATA_DIR);
  return {
    dataDir,
    s3: readS3(values),
    databaseUrl: values.DATABASE_URL,
    adminUserIds: values.ADMIN_USER_IDS,
    extraAuthorities: readAuthorities(values.EXTRA_CA_FILE) ?? [],
    // Read on demand, because hardly any command needs it.
    get sessionSecret() {
      const file = secretFile(dataDir, SECRET_FILES.SESSION_SECRET);
      if (values.SESSION_SECRET) return values.SESSION_SECRET;
      if (existsSync(file)) return readFileSync(file, 'utf8').trim();
      throw new ConfigError([`SESSION_SECRET: the server's own (is not set, and there is no ${file})`]);
    },
  };
}

/** The settings of `npm run catalogue`. Creates nothing. `env` is for tests. Throws ConfigError. */
export function readCatalogueConfig(env: Environment = { ...readEnvFile(), ...process.env }) {
  const values = parseSettings(takeGiven(env), catalogueSettings);
  return {
    fal: readFal(values),
    catalogueDir: path.resolve(values.CATALOGUE_DIR ?? SHIPPED_CATALOGUE),
    extraAuthorities: readAuthorities(values.EXTRA_CA_FILE) ?? [],
  };
}

/**
 * All settings, checked. Variables of the process take precedence over `.env`. Creates DATA_DIR, and in it the secrets
 * that are not given. An empty variable counts as not set, except YOOKASSA_WEBHOOK_ADDRESSES. `env`: for tests, which
 * serve nobody at PUBLIC_URL with NODE_ENV=test. Throws ConfigError.
 */
export function readConfig(
  env?: Environment,
  fromFile: Environment = env ? {} : readEnvFile(),
  { prepare, readSecret }: DataFolder = MADE_WHEN_MISSING,
) {
  const given = takeGiven({ ...fromFile, ...(env ?? process.env) });
  const values = parseSettings(given, settings);
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const dataDir = path.resolve(values.DATA_DIR);
  const isServed = env === undefined || values.NODE_ENV !== 'test';
  const problems = [...findProblems(given, values, publicUrl), ...(isServed ? findPublicProblems(given, values) : [])];
  const obstacle = problems.length === 0 ? prepare(dataDir) : null;
  if (obstacle) problems.push(`DATA_DIR: a folder that can be made and written to (is «${dataDir}», ${obstacle})`);
  if (problems.length > 0) throw new ConfigError(problems);

  const operator = readOperator(values);
  const mailFrom = values.MAIL_FROM ?? `Подиум <no-reply@${new URL(publicUrl).hostname}>`;
  return {
    nodeEnv: values.NODE_ENV,
    isProduction: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    /** Health and metrics of a process without the role `api`. Undefined: it listens nowhere. */
    monitorPort: values.MONITOR_PORT,
    publicUrl,
    /** Whether services outside can call this server at its public address. */
    isReachable: values.PUBLIC_URL !== undefined,
    dataDir,
    ...readStorage(values, publicUrl),
    roles: values.ROLES,
    databaseUrl: values.DATABASE_URL,
    connections: countConnections(values.ROLES, values.DATABASE_POOL),
    logLevel: values.LOG_LEVEL,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    sessionSecret: values.SESSION_SECRET ?? readSecret(dataDir, SECRET_FILES.SESSION_SECRET),
    /** Where each secret comes from: its file in DATA_DIR/secrets, or null when a setting gives it. */
    secretFiles: findSecretFiles(values),
    trustedProxies: values.TRUSTED_PROXIES,
    refusesCommonPasswords: values.COMMON_PASSWORDS === 'refuse',
    adminUserIds: values.ADMIN_USER_IDS,
    ...readEngines(values),
    garmentCheck: {
      isOn: values.GARMENT_CHECK === 'on',
      thresholds: {
        colourDifference: values.GARMENT_COLOUR_DIFFERENCE,
        printSimilarity: values.GARMENT_PRINT_SIMILARITY,
      },
    },
    catalogueDir: path.resolve(values.CATALOGUE_DIR ?? SHIPPED_CATALOGUE),
    videoEncoder: values.VIDEO_ENCODER,
    /** Undefined: mails are written to files. */
    smtpUrl: values.MAIL === 'outbox' ? undefined : values.SMTP_URL,
    smtpTls: readSmtpTls(values),
    mailFrom,
    push: readPush(values, mailFrom, dataDir, readSecret),
    operator,
    helpUrl: values.HELP_URL ?? operator.messengerUrl,
    legalDocumentsReviewed: values.LEGAL_DOCUMENTS_REVIEWED,
    tagManagerId: values.TAG_MANAGER_ID,
    telegram: {
      /** Null: there is no bot. */
      token: values.TELEGRAM_BOT_TOKEN ?? null,
      apiRoot: values.TELEGRAM_API_ROOT,
      /** Files of a Bot API server in `--local` mode, as this process sees them. */
      filesDir: values.TELEGRAM_FILES_DIR ? path.resolve(values.TELEGRAM_FILES_DIR) : null,
      webhookSecret: values.TELEGRAM_WEBHOOK_SECRET ?? readSecret(dataDir, SECRET_FILES.TELEGRAM_WEBHOOK_SECRET),
      updates: values.TELEGRAM_UPDATES ?? (publicUrl.startsWith('https://') ? 'webhook' : 'polling'),
      sellsStars: values.TELEGRAM_STARS === 'on',
    },
    ...readPayments(values),
    /** Certificate authorities for outgoing calls in addition to Node's own, in PEM. */
    extraAuthorities: readAuthorities(values.EXTRA_CA_FILE) ?? [],
    /** Settings that are set but have no effect, one sentence each. */
    unreadSettings: describeUnread(given, values, new Set(Object.keys(fromFile))),
    /** Settings that work but are unwise for a server that people use, one sentence each. */
    unwiseSettings: describeUnwise(given, values, dataDir),
  };
}

/** The settings as a start would read them. Makes nothing. `env` is for tests. Throws ConfigError. */
export function inspectConfig(env?: Environment): Config {
  return readConfig(env, undefined, UNTOUCHED_DATA_FOLDER);
}

function findSecretFiles(values: Settings): Record<SecretName, string | null> {
  const fileOf = (name: SecretName) => (values[name] === undefined ? SECRET_FILES[name] : null);
  return {
    SESSION_SECRET: fileOf('SESSION_SECRET'),
    VAPID_PRIVATE_KEY: fileOf('VAPID_PRIVATE_KEY'),
    TELEGRAM_WEBHOOK_SECRET: fileOf('TELEGRAM_WEBHOOK_SECRET'),
  };
}

/** Finds settings that are valid alone but contradict each other. */
function findProblems(given: Environment, values: Settings, publicUrl: string): string[] {
  const wrong = (name: string, expected: string) => describeProblem(name, expected, given);
  return [
    ...findProcessProblems(given, values, publicUrl, wrong),
    ...findAuthorityProblems(values, wrong),
    ...findStorageProblems(values),
    ...findEngineProblems(values, wrong),
    ...findPushProblems(values, wrong),
    ...findOperatorProblems(values, wrong),
    ...findPaymentProblems(values, wrong),
    ...findTelegramProblems(values, publicUrl, wrong),
  ];
}

function findProcessProblems(given: Environment, values: Settings, publicUrl: string, wrong: DescribeWrong): string[] {
  const problems: string[] = [];
  if (!values.DATABASE_URL && values.ROLES.length < ROLES.length) {
    problems.push(
      wrong(
        'ROLES',
        'roles can run apart only with DATABASE_URL, because the embedded database belongs to one process',
      ),
    );
  }
  if (values.VIDEO_ENCODER !== 'node-av' && !isProgram(values.VIDEO_ENCODER, given.PATH)) {
    problems.push(wrong('VIDEO_ENCODER', 'node-av, or a program that can be run'));
  }
  if (values.NODE_ENV !== 'production') return problems;
  if (!publicUrl.startsWith('https://')) problems.push(wrong('PUBLIC_URL', 'an https address in production'));
  if (!values.SESSION_SECRET) problems.push(wrong('SESSION_SECRET', 'must be set in production'));
  if (!values.SMTP_URL && !values.MAIL) {
    problems.push(
      wrong('SMTP_URL', 'must be set in production, or nobody gets a code to register with; or MAIL=outbox'),
    );
  }
  return problems;
}

/** A server for others is one in production: whoever forgets that sells stars without money. */
function findPublicProblems(given: Environment, { NODE_ENV, PUBLIC_URL }: Settings): string[] {
  if (NODE_ENV === 'production' || !PUBLIC_URL || LOOPBACK_HOST.test(new URL(PUBLIC_URL).hostname)) return [];
  const expected =
    'production with a PUBLIC_URL other than localhost, because other starts sell stars without money and may show mails';
  return [describeProblem('NODE_ENV', expected, given)];
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * How mails are protected on their way. Production never sends them in clear, where whoever listens reads codes that
 * open accounts, unless they stay on this machine or the operator says so.
 */
function readSmtpTls({ SMTP_URL, NODE_ENV }: Settings): SmtpTls {
  const address = SMTP_URL === undefined ? null : new URL(SMTP_URL);
  if (address?.search === '?tls=off') return 'off';
  return NODE_ENV === 'production' && address && !LOOPBACK_HOST.test(address.hostname) ? 'required' : 'if offered';
}

function findAuthorityProblems({ EXTRA_CA_FILE }: Pick<Settings, 'EXTRA_CA_FILE'>, wrong: DescribeWrong): string[] {
  return readAuthorities(EXTRA_CA_FILE) ? [] : [wrong('EXTRA_CA_FILE', 'a file with certificates in PEM')];
}

function findPushProblems(values: Settings, wrong: DescribeWrong): string[] {
  const problems: string[] = [];
  if (Boolean(values.VAPID_PUBLIC_KEY) !== Boolean(values.VAPID_PRIVATE_KEY)) {
    const missing = values.VAPID_PUBLIC_KEY ? 'VAPID_PRIVATE_KEY' : 'VAPID_PUBLIC_KEY';
    problems.push(`VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: both or neither (${missing} is not set)`);
  } else if (values.VAPID_PRIVATE_KEY && deriveVapidKey(values.VAPID_PRIVATE_KEY) !== values.VAPID_PUBLIC_KEY) {
    problems.push(wrong('VAPID_PUBLIC_KEY', 'not the public half of VAPID_PRIVATE_KEY'));
  }
  if (values.NODE_ENV === 'production' && !values.VAPID_PRIVATE_KEY) {
    problems.push(wrong('VAPID_PRIVATE_KEY', 'must be set in production'));
  }
  return problems;
}

function readPush(values: Settings, mailFrom: string, dataDir: string, readSecret: DataFolder['readSecret']) {
  const privateKey = values.VAPID_PRIVATE_KEY ?? readSecret(dataDir, SECRET_FILES.VAPID_PRIVATE_KEY, makeVapidKey);
  const publicKey = deriveVapidKey(privateKey);
  if (!publicKey)
    throw new ConfigError([`${secretFile(dataDir, SECRET_FILES.VAPID_PRIVATE_KEY)}: a key (is none; remove it)`]);
  return {
    publicKey,
    privateKey,
    subject: values.VAPID_SUBJECT ?? `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`,
    hosts: values.PUSH_HOSTS,
  };
}

/** Names of the operator's settings that are missing or still have their sample value. */
function listMissingOperatorNames(values: Settings): string[] {
  return OPERATOR_NAMES.filter((name) => values[name] === undefined || values[name] === SAMPLE_OPERATOR[name]);
}

function findOperatorProblems(values: Settings, wrong: DescribeWrong): string[] {
  if (values.NODE_ENV !== 'production') return [];
  return listMissingOperatorNames(values).map((name) =>
    wrong(name, 'must be set in production, the public pages would show sample data'),
  );
}

function readOperator(values: Settings) {
  const operator = { ...SAMPLE_OPERATOR, ...values };
  return {
    name: operator.OPERATOR_NAME,
    ogrnip: operator.OPERATOR_OGRNIP,
    inn: operator.OPERATOR_INN,
    email: operator.OPERATOR_EMAIL,
    messengerUrl: operator.OPERATOR_MESSENGER_URL,
    isSample: listMissingOperatorNames(values).length > 0,
  };
}

function readPayments(values: Settings) {
  /** Null without keys. */
  const providers = {
    yookassa: hasKeys(values, 'yookassa')
      ? {
          shopId: values.YOOKASSA_SHOP_ID,
          secretKey: values.YOOKASSA_SECRET_KEY,
          isTest: hasTestKeys(values, 'yookassa'),
          apiUrl: values.YOOKASSA_API_URL,
          /** Empty: notifications are accepted from everybody. They are read back in any case. */
          webhookAddresses: values.YOOKASSA_WEBHOOK_ADDRESSES,
        }
      : null,
    tbank: hasKeys(values, 'tbank')
      ? {
          terminalKey: values.TBANK_TERMINAL_KEY,
          password: values.TBANK_PASSWORD,
          isTest: hasTestKeys(values, 'tbank'),
          apiUrl: values.TBANK_API_URL,
        }
      : null,
  } satisfies Record<PageProvider, object | null>;
  return {
    /** Providers offered to buyers, the default first. */
    payments: values.PAYMENTS,
    ...providers,
    receipt: {
      vatCode: values.RECEIPT_VAT_CODE,
      subject: values.RECEIPT_SUBJECT,
      mode: values.RECEIPT_MODE,
      taxSystem: values.RECEIPT_TAX_SYSTEM,
    },
  };
}

function findTelegramProblems(values: Settings, publicUrl: string, wrong: DescribeWrong): string[] {
  const problems: string[] = [];
  if (values.TELEGRAM_UPDATES === 'webhook' && !publicUrl.startsWith('https://')) {
    problems.push(wrong('TELEGRAM_UPDATES', 'polling, because Telegram calls only an https PUBLIC_URL'));
  }
  const { TELEGRAM_FILES_DIR: filesDir } = values;
  if (filesDir && !statSync(filesDir, { throwIfNoEntry: false })?.isDirectory()) {
    problems.push(wrong('TELEGRAM_FILES_DIR', 'a folder that is there: the one of a Bot API server in --local mode'));
  }
  const hasBotApart = values.ROLES.length < ROLES.length && values.TELEGRAM_BOT_TOKEN;
  if (hasBotApart && !values.TELEGRAM_WEBHOOK_SECRET) {
    problems.push(
      wrong('TELEGRAM_WEBHOOK_SECRET', 'must be set where roles run apart, because each would make its own'),
    );
  }
  return problems;
}

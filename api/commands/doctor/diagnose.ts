import type pg from 'pg';
import type { PaymentProvider } from '#api/adapters/payments/payment-provider.ts';
import { PROVIDER_KEYS } from '#api/config/settings.ts';
import type { Db } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { PageProvider } from '#shared/rules/payment-providers.ts';
import { checkBooks, checkClock, checkDatabase, checkMigrations, checkQueue } from './check-database.ts';
import {
  checkBot,
  checkEngine,
  checkMail,
  checkOutsideClock,
  checkPayments,
  checkPush,
  type ExaminedEngine,
} from './check-services.ts';
import { adviseOnStorage, checkFiles, checkSecrets, checkSpace, checkStorage } from './check-storage.ts';
import { type Finding, ok, runChecks } from './finding.ts';

/** For checks that read whole tables or many files. */
const LONG_TIMEOUT_MS = 120_000;
const ADVICE_SMTP = 'Look at SMTP_URL: address, port, user and password.';

const ENGINE_SETTINGS: Record<string, string> = {
  fal: 'FAL_KEY, FAL_QUEUE_URL, FAL_REST_URL',
  comfyui: 'COMFYUI_URLS, COMFYUI_TOKEN, ENGINE_WORKFLOWS_DIR',
};

export interface CheckedParts extends Pick<AppContext, 'config' | 'storage' | 'mailer' | 'telegram'> {
  db: Db;
  providers: readonly PaymentProvider[];
  engines: readonly { name: string; open: () => Promise<ExaminedEngine> }[];
}

export async function diagnose(parts: CheckedParts): Promise<Finding[]> {
  const [fromDatabase, fromRest] = await Promise.all([checkConnectedDatabase(parts), checkOtherParts(parts)]);
  return [...fromDatabase, ...fromRest];
}

function checkConnectedDatabase(parts: CheckedParts): Promise<Finding[]> {
  const pool = queryThrough(parts.db);
  const { databaseUrl } = parts.config;
  return runChecks([
    ['database', 'Look at DATABASE_URL and at the log of PostgreSQL.', () => checkDatabase(pool, databaseUrl)],
    ['migrations', 'Does the user of DATABASE_URL own the tables?', () => checkMigrations(pool)],
    ['queue', 'npm start makes its tables.', () => checkQueue(pool)],
    ['clock', 'Look at DATABASE_URL and at the log of PostgreSQL.', () => checkClock(parts.db)],
    ['books', 'npm run books says more.', () => checkBooks(parts), LONG_TIMEOUT_MS],
    ['files', adviseOnStorage(parts.config), () => checkFiles(parts), LONG_TIMEOUT_MS],
  ]);
}

/** Examines everything that needs no database. */
export function checkOtherParts(parts: Omit<CheckedParts, 'db'>): Promise<Finding[]> {
  const { config, storage, providers, engines } = parts;
  const outside = config.yookassa?.apiUrl ?? config.tbank?.apiUrl ?? (config.telegram.token && config.telegram.apiRoot);
  return runChecks([
    ['storage', adviseOnStorage(config), () => checkStorage(storage)],
    ['space', 'Is the disk of DATA_DIR mounted?', () => checkSpace(parts)],
    ['secrets', 'Does this user own DATA_DIR?', () => checkSecrets(config)],
    ['mail', config.smtpUrl ? ADVICE_SMTP : 'Look at the folder outbox in DATA_DIR.', () => checkMail(parts)],
    ...listPaymentChecks(providers),
    ['bot', 'Look at TELEGRAM_BOT_TOKEN and TELEGRAM_API_ROOT.', () => checkBot(parts)],
    ['push', 'Look at VAPID_*.', () => checkPush(config)],
    ...engines.map(
      ({ name, open }) =>
        [
          'engine',
          `${name}: look at ${ENGINE_SETTINGS[name] ?? 'its settings'} and docs/engines.md.`,
          async () => checkEngine(config, await open()),
        ] as const,
    ),
    ...(outside ? ([['clock', 'Can this machine reach the network?', () => checkOutsideClock(outside)]] as const) : []),
  ]);
}

function listPaymentChecks(providers: readonly PaymentProvider[]) {
  const outside = providers.filter(({ name }) => name in PROVIDER_KEYS);
  if (outside.length === 0)
    return [['payments', 'Look at PAYMENTS.', async () => ok('sandbox: no money moves')] as const];
  return outside.map((provider) => {
    const keys = PROVIDER_KEYS[provider.name as PageProvider].join(' and ');
    return ['payments', `Look at ${keys}.`, () => checkPayments(provider)] as const;
  });
}

/** The embedded database has one connection, which belongs to the client. */
function queryThrough(db: Db): Pick<pg.Pool, 'query'> {
  const query = async (sql: string, values: unknown[] = []) => ({ rows: await db.$queryRawUnsafe(sql, ...values) });
  return { query: query as unknown as pg.Pool['query'] };
}

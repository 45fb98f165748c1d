import { PAGE_PROVIDERS } from '#shared/rules/payment-providers.ts';
import { type Environment, hasKeys, type Settings, settings } from './settings.ts';
import { hasS3 } from './storage.ts';

/**
 * How our settings begin. Other programs of the machine have variables that begin otherwise. The operator's documents
 * also name ROBOKASSA_…, which nothing reads.
 */
const OUR_PREFIX =
  /^(COMFYUI|DATABASE|ENGINE|FAL|GARMENT|MEDIA|OPERATOR|PAYMENTS|RECEIPT|ROBOKASSA|S3|SMTP|TBANK|TELEGRAM|VAPID|YOOKASSA)_/;
const READ = Object.keys(settings.shape);

/** Settings that have no effect because of others. */
const IDLE: { isIdle(name: string, values: Settings): boolean; without: string }[] = [
  {
    isIdle: (name, { DATABASE_URL }) => name === 'DATABASE_POOL' && DATABASE_URL === undefined,
    without: 'DATABASE_URL',
  },
  {
    isIdle: (name, { ROLES }) => name === 'MONITOR_PORT' && ROLES.includes('api'),
    without: 'ROLES that leave out api, which answers at PORT',
  },
  { isIdle: (name, values) => name === 'S3_PUBLIC_ENDPOINT' && !hasS3(values), without: 'S3_ENDPOINT' },
  { isIdle: (name, values) => name === 'MEDIA_ACCEL' && hasS3(values), without: 'files on the disk' },
  ...PAGE_PROVIDERS.map((provider) => ({
    isIdle: (name: string, values: Settings) =>
      name.startsWith(`${provider.toUpperCase()}_`) && !hasKeys(values, provider),
    without: `PAYMENTS=${provider}`,
  })),
  {
    isIdle: (name, values) =>
      name.startsWith('RECEIPT_') && !PAGE_PROVIDERS.some((provider) => hasKeys(values, provider)),
    without: `PAYMENTS=${PAGE_PROVIDERS.join(' or ')}`,
  },
  {
    isIdle: (name, { TELEGRAM_BOT_TOKEN }) => name.startsWith('TELEGRAM_') && TELEGRAM_BOT_TOKEN === undefined,
    without: 'TELEGRAM_BOT_TOKEN',
  },
  {
    isIdle: (name, { FAL_KEY }) => (name.startsWith('FAL_') || name === 'ENGINE_MODELS') && FAL_KEY === undefined,
    without: 'FAL_KEY',
  },
  {
    isIdle: (name, { COMFYUI_URLS }) =>
      (name === 'COMFYUI_TOKEN' || name === 'ENGINE_WORKFLOWS_DIR') && COMFYUI_URLS === undefined,
    without: 'COMFYUI_URLS',
  },
  {
    isIdle: (name, { GARMENT_CHECK }) =>
      name.startsWith('GARMENT_') && name !== 'GARMENT_CHECK' && GARMENT_CHECK === 'off',
    without: 'GARMENT_CHECK=on',
  },
  {
    isIdle: (name, { NODE_ENV }) => name === 'PAYMENTS_TEST' && NODE_ENV !== 'production',
    without: 'NODE_ENV=production',
  },
  { isIdle: (name, { MAIL }) => name === 'SMTP_URL' && MAIL === 'outbox', without: 'another MAIL than «outbox»' },
];

/**
 * Settings that have no effect, one sentence each: disabled by others, or unknown although they stand in `.env`
 * (`inFile`) or begin like ours. Other variables of the machine are ignored.
 */
export function describeUnread(given: Environment, values: Settings, inFile: ReadonlySet<string>): string[] {
  return Object.keys(given).flatMap((name) => {
    if (READ.includes(name)) {
      const idle = IDLE.find(({ isIdle }) => isIdle(name, values));
      return idle ? [`${name} is set, but not read without ${idle.without}`] : [];
    }
    // Only the tests read it.
    if (name === 'TEST_DATABASE_URL') return [];
    if (inFile.has(name)) return [`${name} stands in .env, but is not known`];
    return OUR_PREFIX.test(name) ? [`${name} is set, but is not known`] : [];
  });
}

import { PAGE_PROVIDERS } from '#shared/rules/payment-providers.ts';
import { hasS3 } from './config-storage.ts';
import { type Environment, hasKeys, type Settings, settings } from './settings.ts';

/** Documented for later versions. Nothing reads them yet. */
const NOT_BUILT = [
  ...['ROBOKASSA_LOGIN', 'ROBOKASSA_PASSWORD_1', 'ROBOKASSA_PASSWORD_2', 'ROBOKASSA_URL'],
  ...['PARALLEL_ITEMS'],
];
/** Only the tests read these. */
const FOR_TESTS = ['TEST_DATABASE_URL'];
const READ = Object.keys(settings.shape);
const OURS: ReadonlySet<string> = new Set([...READ, ...NOT_BUILT, ...FOR_TESTS]);

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
 * Settings that have no effect, one sentence each: not read yet, disabled by others, similar to one of ours but
 * misspelt, or unknown in `.env` (`inFile`). Other variables of the machine are ignored.
 */
export function describeUnread(given: Environment, values: Settings, inFile: ReadonlySet<string>): string[] {
  return Object.keys(given).flatMap((name) => {
    if (NOT_BUILT.includes(name)) return [`${name} is set, but nothing reads it in this version`];
    const idle = READ.includes(name) && IDLE.find(({ isIdle }) => isIdle(name, values));
    if (idle) return [`${name} is set, but not read without ${idle.without}`];
    if (OURS.has(name)) return [];
    const meant = findMeant(name);
    if (meant) return [`${name} is set, but not known; is ${meant} meant?`];
    return inFile.has(name) ? [`${name} stands in .env, but is not known`] : [];
  });
}

/** The setting that was probably meant. Null when no name is similar. */
function findMeant(name: string): string | null {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const typed = plain(name);
  for (const one of OURS) {
    const wanted = plain(one);
    // In a short word one wrong letter makes another word.
    const tolerance = wanted.length > 8 ? 2 : wanted.length > 5 ? 1 : 0;
    if (countEdits(typed, wanted) <= tolerance && (one.includes('_') || name === name.toUpperCase())) return one;
  }
  return null;
}

/** The distance of Damerau and Levenshtein: letters to insert, remove, replace or swap with the next. */
function countEdits(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + Number(from[i - 1] !== to[j - 1]),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}

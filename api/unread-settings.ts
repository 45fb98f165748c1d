import { PAGE_PROVIDERS } from '#shared/rules/payment-providers.ts';
import { type Environment, hasKeys, type Settings, settings } from './settings.ts';

/** Documented for later versions. Nothing reads them yet. */
const NOT_BUILT = [
  ...['ROBOKASSA_LOGIN', 'ROBOKASSA_PASSWORD_1', 'ROBOKASSA_PASSWORD_2', 'ROBOKASSA_URL'],
  ...['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PUBLIC_ENDPOINT'],
  ...['DATABASE_POOL', 'MONITOR_PORT', 'COMMON_PASSWORDS', 'MEDIA_ACCEL', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ...['PARALLEL_ITEMS'],
];
/** Only the tests read these. */
const FOR_TESTS = ['TEST_DATABASE_URL'];
const READ = Object.keys(settings.shape);
const OURS: ReadonlySet<string> = new Set([...READ, ...NOT_BUILT, ...FOR_TESTS]);

/** Settings that have no effect because of others. */
const IDLE: { isIdle(name: string, values: Settings): boolean; without: string }[] = [
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

/** The Levenshtein distance: letters to insert, remove or replace. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    let diagonal = row[0] ?? 0;
    row = row.reduce<number[]>((next, above, j) => {
      next.push(
        j === 0 ? i : Math.min(above + 1, (next[j - 1] ?? 0) + 1, diagonal + Number(from[i - 1] !== to[j - 1])),
      );
      diagonal = above;
      return next;
    }, []);
  }
  return row.at(-1) ?? 0;
}

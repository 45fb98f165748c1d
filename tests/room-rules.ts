// Who may import whom. `architecture.test.ts` enforces it, and the table in CONTRIBUTING.md is written from it.

/** A named set of files that several rooms may import. */
export interface Group {
  name: string;
  holds: string;
  paths: string[];
}

export interface Room {
  /** The files of the room. A path stands for itself and for everything below it. */
  paths: string[];
  holds: string;
  /** What the room may import. A folder may also import itself. */
  may: (string | Group)[];
  /** Packages that it may import. All if absent. */
  packages?: string[];
  /** Its folders, the lowest first. Each may import itself and the folders before it. */
  floors?: Floor[];
  /** The only folders of the room that its other folders may import. */
  onlyShares?: string[];
  /** It may import only types. */
  isTypesOnly?: boolean;
}

export interface Floor {
  folder: string;
  holds: string;
}

const PORTS: Group = {
  name: 'the ports',
  holds:
    'interfaces named after a need, what errors of a disk mean, and what is left on one; which adapter implements one is chosen in `api/app-context.ts`',
  paths: [
    'storage/object-storage',
    'storage/disk-failures',
    'storage/find-free-bytes',
    'mail/mailer',
    'push/push-sender',
    'generation-engines/generation-engine',
    'payments/payment-provider',
    'video-encoder/video-encoder',
    'garment-check/garment-checker',
  ].map((port) => `api/adapters/${port}.ts`),
};

const PAGE_WORDS = ['pwa/format.ts', 'pwa/messages.ts', 'pwa/paths.ts'];

const PAGE_BASE: Group = {
  name: 'the base of the page',
  holds: 'what components, features and pages may use',
  paths: ['shared', ...PAGE_WORDS, 'pwa/device', 'pwa/client'],
};

/** The lowest first. Each may import the ones before it. */
const BASE_FEATURES: Floor[] = [
  { folder: 'tools', holds: 'what the tools of this installation can do and what they cost' },
  { folder: 'session', holds: 'who is signed in, on this device and by the server' },
  { folder: 'consent', holds: 'consents to cookies and documents, and the events that depend on them' },
  {
    folder: 'products',
    holds: 'products of a seller: their lists, their changes, and what gives photos and results an article',
  },
  { folder: 'uploads', holds: 'sending photos, the queue without a network, photos shared with the app' },
  { folder: 'renaming', holds: 'the dialog that names results' },
  { folder: 'generations', holds: 'starting, following, cancelling and paying, the same for every tool' },
  { folder: 'photos', holds: 'choosing, checking and uploading the photos of a tool' },
  { folder: 'downloads', holds: 'taking results away: download, share, and the offer for who may not' },
];

const BASE_FEATURES_GROUP: Group = {
  name: 'the base features',
  holds: 'parts that know the product and that other features may import',
  paths: BASE_FEATURES.map(pathOfFeature),
};

export const GROUPS = [PORTS, PAGE_BASE, BASE_FEATURES_GROUP];

/** Also the order in which a newcomer reads them. The folders of `generations` are floors of their own. */
const SERVICE_FLOORS: Floor[] = [
  { folder: 'core', holds: 'what several rooms use: limits, catalogue, premium status, audit, layout of mails, state' },
  { folder: 'stars', holds: 'the ledger, its history, the packages on sale' },
  { folder: 'products', holds: 'products of a seller, their articles, guesses from names of files' },
  { folder: 'photos', holds: 'reading, decoding, keeping and removing uploaded photos' },
  { folder: 'accounts', holds: 'registration, sessions, codes, passwords, e-mail addresses, settings, deletion' },
  { folder: 'notices', holds: 'push, mail and chat messages about a result; events for open pages' },
  { folder: 'payments', holds: 'invoices, notifications of providers, refunds, receipts, Telegram Stars' },
  { folder: 'generations/results', holds: 'results, their files, copies and views' },
  { folder: 'generations/tools', holds: 'the table of tools: what each kind checks, how it is stored and shown' },
  { folder: 'generations/garment', holds: 'whether the garment in a result is the one of the photo' },
  { folder: 'generations/engine-health', holds: 'runs of engines, their cost, outages and probes' },
  { folder: 'generations/running', holds: 'from the job to the outcome: submit, follow, store, complete or fail' },
  { folder: 'generations/starting', holds: 'from the request to the job: check, hold the stars, write, send' },
  { folder: 'generations/reports', holds: 'complaints about a result' },
  {
    folder: 'batches',
    holds: 'many photos with one choice of settings: rows, commands, and the line that starts them',
  },
  { folder: 'gallery', holds: 'lists of results, downloads, archives, exports for marketplaces' },
  { folder: 'packs', holds: 'ZIPs with what a marketplace takes, made by a job' },
  { folder: 'chat', holds: 'updates, messages and people of the bot' },
  { folder: 'administration', holds: 'the panel, analytics, books, interviews' },
  { folder: 'account-lifecycle', holds: 'what touches all of an account: merge, link, export, erasure' },
  { folder: 'maintenance', holds: 'what runs at night: clean-up, files without a row, rows without a file' },
];

/** The first room that holds a file counts. */
export const ROOMS: Room[] = [
  { paths: ['shared/rules'], holds: 'prices, lifecycle, limits, plurals; pure', may: [], packages: [] },
  {
    paths: ['shared'],
    holds: '`contract`: every HTTP call; words that two sides must agree on',
    may: [],
    packages: ['zod/mini'],
  },
  {
    paths: ['api/platform'],
    holds:
      'what knows nothing of the product: errors, current request, semaphore, single flight, retry, time limits, processes for heavy work, each once',
    may: ['shared'],
  },
  {
    paths: ['api/config'],
    holds: 'every setting; the only reader of the environment',
    may: ['shared', 'api/platform'],
  },
  {
    paths: ['api/database'],
    holds:
      'connections to a server and to the embedded database, their faults, transactions, the leader, account events',
    may: ['shared', 'prisma', 'api/config', 'api/platform'],
  },
  {
    paths: ['api/queue'],
    holds: 'the queue, its jobs and their payloads',
    may: ['shared', 'prisma/generated', 'api/config', 'api/platform', 'api/database'],
  },
  {
    paths: ['api/imaging'],
    holds: 'pixels, masks, outlines and the logo, for photos, the local engine and the garment check',
    may: ['shared', 'api/platform'],
  },
  {
    paths: ['api/catalogue'],
    holds: 'models and backgrounds: manifest, pictures, their checks',
    may: ['shared', 'api/platform'],
  },
  {
    paths: ['api/telemetry'],
    holds: 'what an operator reads and measures: log, counters, figures, spans',
    may: ['shared', 'api/config', 'api/platform', 'api/database', 'api/queue', PORTS],
  },
  {
    paths: ['api/adapters'],
    holds: 'ports and their adapters: engine, encoder, payments, storage, mail, push',
    may: ['shared', 'prisma/generated', 'api/platform', 'api/imaging'],
  },
  {
    paths: ['api/services/app-context.ts'],
    holds: 'the type of what a service may use',
    may: ['shared', 'api'],
    isTypesOnly: true,
  },
  {
    paths: ['api/services'],
    holds: 'what the product does; its folders are in the second table',
    may: [
      'shared',
      'prisma/generated',
      'api/platform',
      'api/imaging',
      'api/database',
      'api/queue',
      'api/services/app-context.ts',
      PORTS,
    ],
    floors: SERVICE_FLOORS,
  },
  {
    paths: ['api/routes', 'api/jobs', 'api/plugins'],
    holds: 'the doors: HTTP and background jobs',
    may: ['shared', 'api/services', 'api/platform', 'api/database/faults.ts', PORTS],
  },
  {
    paths: ['api/app-context.ts'],
    holds: 'all wiring: which adapter stands behind which port',
    may: [
      'shared',
      'api/config',
      'api/platform',
      'api/database',
      'api/queue',
      'api/adapters',
      'api/catalogue',
      'api/telemetry',
      'api/services/app-context.ts',
      'api/services/core',
    ],
  },
  {
    paths: ['api/main.ts', 'api/server.ts'],
    holds: 'the process and its roles',
    may: ['shared', 'api', 'bot/main.ts'],
  },
  { paths: ['api/commands'], holds: "the operator's commands, and what a start does first", may: ['shared', 'api'] },
  {
    paths: ['bot'],
    holds: 'the Telegram bot: the third door',
    may: ['shared', 'api/services', 'api/platform', 'api/database', 'api/queue/job-definitions.ts'],
  },
  {
    paths: ['pwa/service-worker'],
    holds: 'offline answers, push, shared photos',
    may: ['shared', 'pwa/client', 'pwa/device', 'pwa/features/uploads'],
  },
  { paths: PAGE_WORDS, holds: 'numbers and dates as text, texts of several pages, addresses', may: ['shared'] },
  { paths: ['pwa/device'], holds: 'storage, theme, connection, clock, window; no product', may: ['shared'] },
  {
    paths: ['pwa/client'],
    holds: 'API client, queries, events of the account, push; no markup',
    may: ['shared', ...PAGE_WORDS, 'pwa/device'],
  },
  { paths: ['pwa/components'], holds: 'parts that do not know the product', may: [PAGE_BASE, 'pwa/assets'] },
  ...BASE_FEATURES.map((feature, index) => ({
    paths: [pathOfFeature(feature)],
    holds: feature.holds,
    may: [PAGE_BASE, 'pwa/components', 'pwa/assets', ...BASE_FEATURES.slice(0, index).map(pathOfFeature)],
  })),
  {
    paths: ['pwa/features'],
    holds: 'product features: parts that know the product, a folder a noun',
    may: [PAGE_BASE, BASE_FEATURES_GROUP, 'pwa/components', 'pwa/assets'],
    onlyShares: BASE_FEATURES.map(({ folder }) => folder),
  },
  {
    paths: ['pwa/pages'],
    holds: 'a file a route',
    may: [PAGE_BASE, 'pwa/features', 'pwa/components', 'pwa/assets'],
  },
  { paths: ['pwa'], holds: 'the rest: `app`, `prerendering`, `main.tsx`', may: ['shared'] },
  { paths: ['prisma'], holds: 'schema, migrations and what applies them', may: [] },
  {
    paths: ['tests'],
    holds: 'the same tree again; nothing imports tests',
    may: ['shared', 'api', 'bot', 'pwa', 'prisma'],
  },
  {
    paths: ['tools'],
    holds: 'what makers of the product run and its users never do; nothing imports tools',
    may: ['shared', 'api', 'tests'],
  },
];

function pathOfFeature({ folder }: Floor): string {
  return `pwa/features/${folder}`;
}

export function findRoom(file: string): Room | undefined {
  return ROOMS.find(({ paths }) => paths.some((path) => isWithin(file, path)));
}

/** The paths that the file may import, its own folder among them. A file beside the floors of its room has no place. */
export function listAllowed(file: string): string[] {
  const room = findRoom(file);
  if (!room) return [];
  const own = findOwnFolders(file, room);
  const others = room.may.flatMap((one) => (typeof one === 'string' ? [one] : one.paths));
  return own.length > 0 || isFile(room.paths[0]) ? [...own, ...others] : [];
}

function findOwnFolders(file: string, { paths, floors }: Room): string[] {
  if (!floors) return paths.filter((path) => !isFile(path));
  const folders = floors.map(({ folder }) => `${paths[0]}/${folder}`);
  return folders.slice(0, folders.findIndex((folder) => isWithin(file, folder)) + 1);
}

function isFile(path = ''): boolean {
  return path.endsWith('.ts');
}

export function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

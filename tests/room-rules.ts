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

const PWA_BASE: Group = {
  name: 'the base of the PWA',
  holds: 'what everything in it may use',
  paths: ['shared', 'pwa/lib', 'pwa/messages.ts'],
};

export const GROUPS = [PORTS, PWA_BASE];

const SERVICE_FLOORS: Floor[] = [
  {
    folder: 'ground',
    holds: 'premium status, audit, catalogue, limits, caches, layout of mails, ZIP: what every other room needs',
  },
  { folder: 'stars', holds: 'the ledger, its history, the packages on sale' },
  { folder: 'photos', holds: 'reading, decoding, keeping and removing uploaded photos' },
  { folder: 'accounts', holds: 'registration, sessions, codes, passwords, e-mail addresses, settings, deletion' },
  { folder: 'notices', holds: 'push, mail and chat messages about a result; events for open pages' },
  { folder: 'payments', holds: 'invoices, notifications of providers, refunds, receipts, Telegram Stars' },
  { folder: 'generations', holds: 'start, run, outcome and results of every tool' },
  { folder: 'gallery', holds: 'lists of results, downloads, archives, exports for marketplaces' },
  { folder: 'telegram', holds: 'updates, messages and people of the bot' },
  { folder: 'administration', holds: 'the panel, analytics, books, interviews' },
  { folder: 'leaving', holds: 'what touches all of an account: merge, link, export, erasure, clean-up' },
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
    paths: [
      'api/config.ts',
      'api/config-connections.ts',
      'api/config-engines.ts',
      'api/config-files.ts',
      'api/config-storage.ts',
      'api/settings.ts',
      'api/unread-settings.ts',
      'api/unwise-settings.ts',
    ],
    holds: 'every setting; the only reader of the environment',
    may: [
      'shared',
      'api/config-connections.ts',
      'api/config-engines.ts',
      'api/config-files.ts',
      'api/config-storage.ts',
      'api/settings.ts',
      'api/unread-settings.ts',
      'api/unwise-settings.ts',
    ],
  },
  {
    paths: [
      ...[
        'api/db.ts',
        'api/database-faults.ts',
        'api/database-session.ts',
        'api/database-pool.ts',
        'api/outage-lines.ts',
        'api/queue.ts',
        'api/job-definitions.ts',
        'api/leadership.ts',
        'api/nudges.ts',
      ],
      ...['api/errors.ts', 'api/logger.ts', 'api/request-context.ts'],
      ...['api/retry.ts', 'api/semaphore.ts', 'api/with-timeout.ts'],
    ],
    holds:
      'database and its faults, queue and its jobs, events between processes, who of them leads, errors, log, current request; semaphore, retry and time limits, each once',
    may: [
      'shared',
      'prisma',
      'api/config.ts',
      'api/config-connections.ts',
      'api/db.ts',
      'api/database-faults.ts',
      'api/database-session.ts',
      'api/database-pool.ts',
      'api/outage-lines.ts',
      'api/job-definitions.ts',
      'api/errors.ts',
      'api/request-context.ts',
      'api/adapters/embedded-postgres',
      'api/adapters/pg-boss',
      'api/adapters/mail/mailer.ts',
      'api/adapters/storage/object-storage.ts',
    ],
  },
  {
    paths: ['api/telemetry'],
    holds: 'what the operator can measure: counters, figures, spans, their formats',
    may: ['shared', 'api/db.ts', 'api/queue.ts', 'api/request-context.ts', 'api/with-timeout.ts', PORTS],
  },
  {
    paths: ['api/work-processes'],
    holds: 'processes for work that takes much memory, and gives it back when they end',
    may: [],
  },
  { paths: ['api/watermark'], holds: 'the logo on copies for free owners', may: [] },
  {
    paths: ['api/catalogue'],
    holds: 'models and backgrounds: manifest, pictures, their checks',
    may: ['shared', 'api/work-processes'],
  },
  {
    paths: ['api/adapters'],
    holds: 'ports and their adapters: engine, encoder, payments, storage, mail, push',
    may: [
      'shared',
      'prisma/generated',
      'api/work-processes',
      'api/watermark',
      'api/request-context.ts',
      'api/semaphore.ts',
      'api/with-timeout.ts',
    ],
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
      'api/work-processes',
      'api/watermark',
      'api/db.ts',
      'api/database-faults.ts',
      'api/queue.ts',
      'api/nudges.ts',
      'api/errors.ts',
      'api/retry.ts',
      'api/semaphore.ts',
      'api/with-timeout.ts',
      'api/services/app-context.ts',
      PORTS,
    ],
    floors: SERVICE_FLOORS,
  },
  {
    paths: ['api/routes', 'api/jobs', 'api/plugins'],
    holds: 'the doors: HTTP and background jobs',
    may: [
      'shared',
      'api/services',
      'api/work-processes/work-process-error.ts',
      'api/database-faults.ts',
      'api/errors.ts',
      'api/request-context.ts',
      'api/semaphore.ts',
      PORTS,
    ],
  },
  {
    paths: ['api/app-context.ts'],
    holds: 'all wiring: which adapter stands behind which port',
    may: [
      'shared',
      'api/config.ts',
      'api/db.ts',
      'api/queue.ts',
      'api/leadership.ts',
      'api/nudges.ts',
      'api/logger.ts',
      'api/request-context.ts',
      'api/adapters',
      'api/catalogue',
      'api/telemetry',
      'api/services/app-context.ts',
      'api/services/ground',
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
    may: [
      'shared',
      'api/services',
      'api/database-faults.ts',
      'api/errors.ts',
      'api/leadership.ts',
      'api/request-context.ts',
      'api/semaphore.ts',
      'api/with-timeout.ts',
    ],
  },
  {
    paths: ['pwa/service-worker'],
    holds: 'offline answers, push, shared photos',
    may: ['shared', 'pwa/lib'],
  },
  { paths: ['pwa/lib'], holds: 'API client, storage, queries, device; no markup', may: [PWA_BASE] },
  { paths: ['pwa/components'], holds: 'parts that do not know the product', may: [PWA_BASE, 'pwa/assets'] },
  {
    paths: ['pwa/features'],
    holds: 'parts that know the product, a folder a noun',
    may: [PWA_BASE, 'pwa/components', 'pwa/assets'],
    onlyShares: ['generations'],
  },
  {
    paths: ['pwa/pages'],
    holds: 'a file a route',
    may: [PWA_BASE, 'pwa/features', 'pwa/components', 'pwa/assets'],
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

import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import { StorageFullError } from '#api/adapters/storage/object-storage.ts';
import { CachedCheck } from '#api/platform/cached-check.ts';
import { withTimeout } from '#api/platform/with-timeout.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { SCARCE_BYTES } from '#api/services/core/storage-room.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';

/** `warning`: requests are served, and the operator should look. `failed`: send requests to another process. */
export type PartState = 'ok' | 'warning' | 'failed';

export interface Readiness {
  isReady: boolean;
  parts: Record<string, PartState>;
}

type ReadinessApp = Pick<AppContext, 'config' | 'db' | 'engines' | 'log' | 'mailer' | 'queue' | 'state' | 'storage'>;

interface Part {
  name: string;
  check: () => Promise<PartState>;
  /** What it means that the check throws or takes too long. */
  whenBroken: PartState;
  /** Questions within this time get the same answer, so that many of them put no load on anything. */
  cachedMs: number;
}

const CHECK_TIMEOUT_MS = 3_000;
const OWN_KEPT_MS = 2_000;
/** Somebody else's servers are not asked as often. */
const FOREIGN_KEPT_MS = 60_000;
/** Without this space not even what is running can be finished. */
const SPACE_FLOOR_BYTES = 64 * 1024 ** 2;
/** A worker shows every few seconds that it is alive, and every 15 on the embedded database. */
const WORKER_SILENT_SECONDS = 30;

/** Returns what says whether this process can serve requests. Its answer says what is wrong, and not why. */
export function createReadinessCheck(app: ReadinessApp): () => Promise<Readiness> {
  const watched = listParts(app).map((part) => ({ name: part.name, ask: keepAnswer(app, part) }));
  return async () => {
    const states = await Promise.all(watched.map(async ({ name, ask }) => [name, await ask()] as const));
    return { isReady: states.every(([, state]) => state !== 'failed'), parts: Object.fromEntries(states) };
  };
}

function listParts(app: ReadinessApp): Part[] {
  const works = (check: () => PromiseLike<unknown>) => async (): Promise<PartState> => {
    await check();
    return 'ok';
  };
  const own = { whenBroken: 'failed', cachedMs: OWN_KEPT_MS } as const;
  const foreign = { whenBroken: 'warning', cachedMs: FOREIGN_KEPT_MS } as const;
  return [
    { name: 'database', check: works(() => app.db.$queryRaw`select 1`), ...own },
    { name: 'queue', check: works(() => app.queue.check()), ...own },
    { name: 'storage', check: () => judgeStorage(app), ...own },
    { name: 'space', check: () => judgeSpace(app), ...own },
    { name: 'worker', check: () => judgeWorker(app), ...own, whenBroken: 'warning' },
    { name: 'mail', check: works(() => app.mailer.check()), ...foreign },
    { name: 'engine', check: works(() => checkEngines(app)), ...foreign },
  ];
}

/** A full one still gives what is in it, so that only new files are refused. */
async function judgeStorage(app: ReadinessApp): Promise<PartState> {
  try {
    await app.storage.check();
    return 'ok';
  } catch (error) {
    if (error instanceof StorageFullError) return 'warning';
    throw error;
  }
}

async function judgeSpace({ config, storage }: ReadinessApp): Promise<PartState> {
  const stored = await storage.findFreeBytes();
  const left = Math.min(await findFreeBytes(config.dataDir), stored ?? Number.POSITIVE_INFINITY);
  if (left < SPACE_FLOOR_BYTES) return 'failed';
  return left < SCARCE_BYTES ? 'warning' : 'ok';
}

async function judgeWorker({ queue }: ReadinessApp): Promise<PartState> {
  const { workerSeenSecondsAgo } = await queue.measure();
  return workerSeenSecondsAgo !== null && workerSeenSecondsAgo < WORKER_SILENT_SECONDS ? 'ok' : 'warning';
}

async function checkEngines({ engines }: ReadinessApp): Promise<void> {
  const asked = new Set(GENERATION_KINDS.map((kind) => engines.of(kind)));
  await Promise.all([...asked].map((engine) => engine?.check?.()));
}

function keepAnswer(app: ReadinessApp, part: Part): () => Promise<PartState> {
  const kept = new CachedCheck<PartState>({ cachedMs: part.cachedMs });
  let known: PartState = 'ok';
  const look = async (): Promise<PartState> => {
    let cause: unknown;
    const state = await withTimeout(part.check(), CHECK_TIMEOUT_MS).catch((error: unknown) => {
      cause = error;
      return part.whenBroken;
    });
    // Monitoring asks every few seconds, so only changes are news.
    if (state !== known) logChange(app, part.name, state, cause);
    known = state;
    return state;
  };
  return () => kept.run(look);
}

function logChange({ log }: ReadinessApp, part: string, state: PartState, err: unknown): void {
  const facts = { part, state, ...(err ? { err } : {}) };
  if (state === 'failed') log.error(facts, 'not ready');
  else if (state === 'warning') log.warn(facts, 'ready with a warning');
  else log.info(facts, 'ready again');
}

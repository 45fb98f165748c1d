/**
 * Measures what a server costs while nobody uses it: processor time and memory of the process and its children, for all
 * roles on the embedded database, and for an api and a worker alone on PostgreSQL. Each is left alone for SETTLE_MS after
 * it is ready. All run at the same time, because most of this bench is waiting.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { measureTree, readTreeCpu, toMegabytes } from '#tests/slow/memory/measure-tree.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { findPostgresBinaries, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { startServer } from '#tests/support/running-server.ts';
import { reportFigure } from './figures.ts';

const SETTLE_MS = 120_000;
const ROUND_MS = 20_000;
const ROUNDS = 2;
const CPU_BUDGET_PERCENT = 1;
const MEMORY_BUDGET_MB = { embedded: 500, api: 200, worker: 250 };
type Kind = keyof typeof MEMORY_BUDGET_MB;

/** Percent of a core in each round of `ms`. */
async function measureCpu(pid: number, rounds: number, ms: number): Promise<number[]> {
  const shares: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [before, begunAt] = [readTreeCpu(pid), performance.now()];
    await wait(ms);
    shares.push(((readTreeCpu(pid) - before) / (performance.now() - begunAt)) * 100);
  }
  return shares;
}

interface Rest {
  kind: Kind;
  /** Percent of a core until it has settled. */
  begin: number;
  cpu: number[];
  memory: number[];
}

type Options = Pick<Parameters<typeof startServer>[0], 'roles' | 'databaseUrl'>;

async function withServer<T>(options: Options, use: (pid: number) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-rest-'));
  const server = await startServer({ ...options, dataDir, port: await findFreePort() });
  try {
    return await use(server.pid);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rest = (kind: Kind, options: Options) =>
  withServer(options, async (pid): Promise<Rest> => {
    const [begin = Number.NaN] = await measureCpu(pid, 1, SETTLE_MS);
    const cpu = await measureCpu(pid, ROUNDS, ROUND_MS);
    return { kind, begin, cpu, memory: [toMegabytes(measureTree(pid, 'Rss'))] };
  });

const binaries = findPostgresBinaries();
if (!binaries) throw new Error('This bench needs PostgreSQL');
const { url: databaseUrl, stop } = await startPrivatePostgres(binaries);
try {
  // The first start of a release compiles it, and keeps the compiler in memory. It also makes the tables.
  await withServer({ databaseUrl }, async () => undefined);
  const rests = [
    rest('embedded', {}),
    rest('api', { roles: ['api'], databaseUrl }),
    rest('worker', { roles: ['worker'], databaseUrl }),
  ];
  for (const { kind, begin, cpu, memory } of await Promise.all(rests)) {
    const what = kind === 'embedded' ? 'all roles, embedded database' : `${kind} alone`;
    console.log(`${what}: ${begin.toFixed(1)} % of a core in the first ${SETTLE_MS / 1000} seconds after the start`);
    reportFigure({
      what: `at rest: processor, ${what}`,
      unit: '% of a core',
      values: cpu,
      budget: { atMost: CPU_BUDGET_PERCENT },
    });
    const budget = { atMost: MEMORY_BUDGET_MB[kind] };
    reportFigure({ what: `at rest: memory, ${what}`, unit: 'MB', values: memory, budget });
  }
} finally {
  await stop();
}

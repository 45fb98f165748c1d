/**
 * Measures what a server costs while nobody uses it: processor time and memory of the process and its children, for all
 * roles on the embedded database, and for an api and a worker alone on PostgreSQL. Each is left alone for SETTLE_MS after
 * it is ready. All run at the same time, because most of this bench is waiting.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { measureTree, readTreeCpu, toMegabytes } from '#tests/slow/memory/measure-tree.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
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

async function rest(kind: Kind, options: Parameters<typeof startServer>[0]): Promise<Rest> {
  const server = await startServer(options);
  try {
    const [begin = Number.NaN] = await measureCpu(server.pid, 1, SETTLE_MS);
    const cpu = await measureCpu(server.pid, ROUNDS, ROUND_MS);
    return { kind, begin, cpu, memory: [toMegabytes(measureTree(server.pid, 'Rss'))] };
  } finally {
    await server.stop();
  }
}

const { url: databaseUrl, stop } = await startPrivatePostgres();
try {
  // The first start of a release compiles it, and keeps the compiler in memory. It also makes the tables.
  await (await startServer({ databaseUrl })).stop();
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

/**
 * Compares what the hot paths read in a database of 1,000 accounts with what they read in one of 1,000,000: the status of
 * a generation, a page of the gallery, the balance, and the claim of a job. PostgreSQL explains every statement that
 * they really send (auto_explain: EXPLAIN with ANALYZE and BUFFERS), so nothing is left out. Bytes and rows do not depend on
 * the machine's speed. `ACCOUNTS=100000 npm run bench -- growth` is a quicker run.
 */
import { EventEmitter, once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { createGeneration, createPayment } from '#tests/support/factories.ts';
import { registerVerified } from '#tests/support/people.ts';
import { findPostgresBinaries, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const SMALL = 1_000;
const LARGE = Number(process.env.ACCOUNTS ?? 1_000_000);
/** Further pages that a path may read at the larger size: a level or two of its B-trees. */
const BUDGET_PAGES = 5;
/**
 * A page asks once for the end of a generation. That looks up one row or a few in each of eight indexes, and every index is
 * deeper at a million: those of sessions, accounts, generations, results, inputs and photos by one page; those of payments
 * (for the premium status) and of ledger entries (for the stars spent) by two, because at a thousand they fit into a page.
 * No statement reads more rows. Only fewer look-ups could read fewer pages, and each of them is in the answer.
 */
const FINISHED = 'status of a finished generation';
const FINISHED_BUDGET_PAGES = 10;
/** A table this small is read whole at any size, and rightly so. */
const SMALL_TABLE_ROWS = 500;
const WARM_UPS = 6;
const MODEL_CHANGE = { modelId: null, backgroundId: 'studio', isModelReplaced: false };

/** A node of EXPLAIN (FORMAT JSON). */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.object({ 'Query Text': z.string(), Plan: planNode });

interface Reading {
  pages: number;
  /** Each with its own pages, in the order of sending. */
  statements: { text: string; pages: number; plan: string }[];
  /** Tables that were read whole. */
  scanned: string[];
}

const binaries = findPostgresBinaries();
if (!binaries) throw new Error('The bench needs PostgreSQL: install it, so that initdb can be found.');
const logFolder = mkdtempSync(path.join(tmpdir(), 'podium-plans-'));
chmodSync(logFolder, 0o777);
const server = await startPrivatePostgres(binaries, {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  logging_collector: 'on',
  log_directory: logFolder,
  log_filename: 'plans.log',
  log_line_prefix: '%a§',
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
});
process.env.TEST_DATABASE_URL = server.url;
const scene = await createTestApp({ env: { ROLES: 'api' } });
const claims = new EventEmitter();
await scene.app.queue.work('settle-payments', { concurrency: 1 }, async () => void claims.emit('handled'));
try {
  const person = await settle(scene);
  await grow(0, SMALL);
  const small = await readAll(scene, person);
  await grow(SMALL, LARGE);
  const large = await readAll(scene, person);
  process.exitCode = report(small, large) ? 0 : 1;
} finally {
  await scene.close();
  await server.stop();
  rmSync(logFolder, { recursive: true, force: true });
}

type Person = Awaited<ReturnType<typeof settle>>;

/** An account in use: it has paid, has 60 videos and 60 frames of photo sessions, and waits for a picture. */
async function settle(testApp: TestApp) {
  const { cookie, account } = await registerVerified(testApp);
  let generationId = '';
  for (const kind of ['photosession', 'video'] as const) {
    for (let count = 0; count < 60; count++) {
      generationId = await createGeneration(testApp.app, account.id, kind);
      await testApp.app.db.result.create({
        data: {
          ...{ accountId: account.id, generationId, kind, position: 0, bytes: 1, width: 900, height: 1200 },
          ...{ originalKey: 'o', posterKey: 'p', thumbnailKey: 't' },
          contentType: kind === 'video' ? 'video/mp4' : 'image/jpeg',
          ...{ startedAt: new Date(), made: kind },
        },
      });
    }
  }
  await createPayment(testApp.app.db, account.id);
  const runningId = await createGeneration(testApp.app, account.id, 'model_change', 'generating');
  await testApp.app.db.generation.update({ where: { id: runningId }, data: { settings: MODEL_CHANGE } });
  return { cookie, generationId, runningId };
}

/** Adds accounts with everything that an account of a month's use has. */
async function grow(from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: scene.database.databaseUrl });
  await client.connect();
  // Filling is not measured.
  await client.query('SET auto_explain.log_min_duration = -1');
  const rows = `generate_series(${100_000 + from}, ${100_000 + to - 1}) n`;
  const uuid = (seed: string) => `md5('${seed}' || n)::uuid`;
  const statements = [
    `insert into accounts (id, email, email_key, password_hash, username, star_balance)
     select n, 'a' || n || '@example.com', 'a' || n || '@example.com', 'x', 'a' || n, 1 from ${rows}`,
    `insert into sessions (id, token_hash, account_id, expires_at)
     select ${uuid('s')}, sha256(('s' || n)::bytea), n, now() + interval '20 days' from ${rows}`,
    `insert into photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key)
     select ${uuid('p')}, n, 'photo', 'image/jpeg', 1, 900, 1200, 'm', 'p', 't' from ${rows}`,
    `insert into generations (id, account_id, kind, status, settings, stars, request_hash, engine, created_at, finished_at)
     select ${uuid('g')}, n, 'video', 'completed', '{}', 1, 'x', 'local', now() - interval '1 hour', now() from ${rows}`,
    `insert into generation_inputs (generation_id, position, role, photo_id)
     select ${uuid('g')}, 0, 'subject', ${uuid('p')} from ${rows}`,
    `insert into results (id, generation_id, account_id, kind, position, original_key, poster_key, thumbnail_key,
                          content_type, bytes, width, height, title)
     select ${uuid('r')}, ${uuid('g')}, n, 'video', 0, 'o', 'p', 't', 'video/mp4', 1, 900, 1200, 'v' from ${rows}`,
    `insert into star_entries (account_id, kind, delta, cause_key)
     select n, 'signup_bonus', 1, 'signup_bonus:' || n from ${rows}`,
    `insert into payments (id, account_id, status, provider, package_name, stars, amount_minor, paid_at)
     select ${uuid('b')}, n, 'succeeded', 'sandbox', 'Показ', 50, 199000, now() from ${rows} where n % 20 = 0`,
    // The queue keeps finished jobs for a week.
    `insert into pgboss.job (name, data, state, completed_on)
     select 'run-generation', '{}', 'completed', now() from ${rows} where n % 5 = 0`,
    'vacuum analyze',
  ];
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function readAll({ app, server: http }: TestApp, person: Person): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>();
  const get = async (url: string) => {
    const { statusCode, body } = await http.inject({ url, headers: { cookie: person.cookie } });
    if (statusCode !== 200) throw new Error(`GET ${url}: ${statusCode} ${body}`);
  };
  const paths = {
    // What a page asks for again and again.
    'status of a generation under way': () => get(`/api/generations/${person.runningId}`),
    [FINISHED]: () => get(`/api/generations/${person.generationId}`),
    'page of the gallery': () => get('/api/gallery?limit=40'),
    'page of videos': () => get('/api/videos?limit=40'),
    balance: () => get('/api/stars/balance'),
  };
  for (const [name, run] of Object.entries(paths)) {
    // The first runs fill the caches of each connection.
    for (let count = 0; count < WARM_UPS; count++) await run();
    readings.set(name, await readPlans(run, (text) => !/pgboss\./.test(text)));
  }
  const isClaim = (text: string) => /skip locked/i.test(text) && /pgboss/.test(text);
  readings.set('claim of a job', await readPlans(() => claimJob(app), isClaim));
  return readings;
}

/** Sends a job and waits until it was handled. */
async function claimJob(app: TestApp['app']): Promise<void> {
  const handled = once(claims, 'handled');
  await app.db.$transaction((tx) => app.queue.send(tx, 'settle-payments', {}));
  await handled;
}

async function readPlans(run: () => Promise<void>, isMeant: (statement: string) => boolean): Promise<Reading> {
  const before = readLog().length;
  await run();
  // The collector of the log writes a moment later.
  let text = '';
  for (let previous = -1; previous !== text.length; ) {
    previous = text.length;
    await wait(300);
    text = readLog().slice(before);
  }
  const plans = [...text.matchAll(/§LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g)]
    .map(([, json = '']) => explained.parse(JSON.parse(json)))
    .filter((plan) => isMeant(plan['Query Text']));
  if (plans.length === 0) throw new Error(`PostgreSQL explained nothing:\n${text.slice(0, 2000)}`);
  const statements = plans.map(({ Plan, 'Query Text': text }) => ({
    text,
    pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
    plan: describePlan(Plan),
  }));
  return {
    statements,
    pages: statements.reduce((sum, { pages }) => sum + pages, 0),
    scanned: plans.flatMap(({ Plan }) => listScanned(Plan)),
  };
}

function readLog(): string {
  return readdirSync(logFolder)
    .map((name) => readFileSync(path.join(logFolder, name), 'utf8'))
    .join('');
}

/** The nodes of a plan, and the indexes that they use. */
function describePlan(node: PlanNode): string {
  const own = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
  return [own, ...(node.Plans ?? []).map((child) => describePlan(child))].join(' < ');
}

function listScanned(node: PlanNode): string[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const isWhole = node['Node Type'] === 'Seq Scan' && rows > SMALL_TABLE_ROWS;
  return [
    ...(isWhole ? [node['Relation Name'] ?? 'a table'] : []),
    ...(node.Plans ?? []).flatMap((child) => listScanned(child)),
  ];
}

function report(small: Map<string, Reading>, large: Map<string, Reading>): boolean {
  let isGood = true;
  for (const [name, before] of small) {
    const after = large.get(name) ?? { pages: Number.NaN, statements: [], scanned: [] };
    const budget = name === FINISHED ? FINISHED_BUDGET_PAGES : BUDGET_PAGES;
    const isWithin = after.pages - before.pages <= budget && after.scanned.length === 0;
    isGood &&= isWithin;
    console.log(
      `${name}: ${before.pages} pages at ${SMALL} accounts, ${after.pages} at ${LARGE} ` +
        `(${after.statements.length} statements${after.scanned.length > 0 ? `, reads all of ${after.scanned}` : ''})` +
        ` ${isWithin ? 'ok' : `over budget of ${budget} more`}`,
    );
    if (!isWithin) {
      for (const [size, { statements }] of [
        [SMALL, before],
        [LARGE, after],
      ] as const) {
        for (const { text, pages, plan } of statements) {
          console.log(`  at ${size}: ${pages} by ${plan}: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
        }
      }
    }
  }
  return isGood;
}

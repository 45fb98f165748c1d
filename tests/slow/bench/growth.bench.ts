/**
 * Compares what the requests and the jobs read in a database of 1,000 accounts with what they read in one of 1,000,000.
 * PostgreSQL explains every statement that they really send, those of triggers too, so nothing is left out. Pages and
 * rows do not depend on the machine's speed. `ACCOUNTS=100000 npm run bench -- growth` is a quicker run.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { completeGeneration, failOverdueGenerations } from '#api/services/generations/running/outcome.ts';
import { markMissingResults } from '#api/services/maintenance/missing-files.ts';
import { removeOrphanFiles } from '#api/services/maintenance/orphan-files.ts';
import { sendNotice } from '#api/services/notices/notices.ts';
import { reconcileStarSales } from '#api/services/payments/reconcile-telegram-stars.ts';
import { settlePayments, warnOfUnreachable } from '#api/services/payments/settle-payments.ts';
import { createGeneration, createImageResult, createPayment, createStoredPhoto } from '#tests/support/factories.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { registerVerified } from '#tests/support/users.ts';
import { reportFigure } from './figures.ts';
import { growAccounts } from './grow-accounts.ts';
import { PlanLog, type Statement } from './read-plans.ts';

const SMALL = 1_000;
const LARGE = Number(process.env.ACCOUNTS ?? 1_000_000);
/**
 * Further pages of a statement at the larger size. One that searches more indexes than this, writes into more, or does it
 * more often, may read a page more each time: every index is deeper by a level.
 */
const BUDGET_PAGES = 5;
/**
 * After six runs PostgreSQL takes one plan for all values of a prepared read if it costs no more, as it does in
 * production. What writes is run less often: each run leaves an old version of the rows that the next one has to pass.
 */
const WARM_UPS = { read: 6, other: 2 };
/**
 * The one with the fewest pages counts. A connection that meets a table for the first time reads the catalogue as well, for
 * an entry of the ledger 70 to 170 pages, and the warm-ups do not reach every connection of the pool.
 */
const MEASURED_RUNS = 3;
/** In the address of a request. */
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;
const MODEL_CHANGE = { modelId: null, backgroundId: 'studio', isModelReplaced: false };

/**
 * `hot`: reported one by one. `other`: only the worst of them. `wide`: looks up many rows, each in a deeper index, so only
 * whole tables count. The administrators' panel has a budget of time (administration.bench.ts).
 */
type Group = 'hot' | 'other' | 'wide';
interface Path {
  name: string;
  group: Group;
  /** What has to be there first. It is not measured. */
  prepare?: () => Promise<unknown>;
  run: () => Promise<unknown>;
  isMeant?: (text: string) => boolean;
  warmUps?: number;
}
type Readings = Map<string, { group: Group; statements: Statement[] }>;

const log = new PlanLog();
const postgres = await startPrivatePostgres({
  ...log.settings,
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
});
process.env.TEST_DATABASE_URL = postgres.url;
const fixture = await createTestApp({ env: { ROLES: 'api' } });
const { app } = fixture;
const claims = new EventEmitter();
// Takes jobs of an ordinary queue and does nothing about them.
await app.queue.work('tell-telegram-purchase', { concurrency: 1 }, async () => void claims.emit('handled'));
try {
  await log.connect(fixture.database.databaseUrl);
  // The file that all results have here. A storage without the oldest ones would be refused.
  await app.storage.put('o', Buffer.from('o'), 'image/jpeg');
  const users = { user: await settle(), writer: await settle() };
  await growAccounts(fixture.database.databaseUrl, 0, SMALL);
  const small = await readAll(listPaths(users));
  await growAccounts(fixture.database.databaseUrl, SMALL, LARGE);
  const large = await readAll(listPaths(users));
  report(small, large);
} finally {
  await fixture.close();
  await log.remove();
  await postgres.stop();
}

type Settled = Awaited<ReturnType<typeof settle>>;
interface Users {
  /** Only reads, so that there is the same to read later. */
  user: Settled;
  writer: Settled;
}

/** An account in use: it has paid, has 60 videos and 60 frames of photo sessions, and waits for a picture. */
async function settle() {
  const { cookie, account } = await registerVerified(fixture);
  const { id: productId } = await app.db.product.create({
    data: { accountId: account.id, article: 'PL-1', articleKey: 'pl-1' },
  });
  let generationId = '';
  for (const kind of ['photosession', 'video'] as const) {
    for (let count = 0; count < 60; count++) {
      generationId = await createGeneration(app, account.id, kind);
      await app.db.result.create({
        data: {
          accountId: account.id,
          generationId,
          kind,
          position: 0,
          productId,
          photoName: 'Фото',
          number: 1,
          bytes: 1,
          width: 900,
          height: 1200,
          originalKey: 'o',
          posterKey: 'p',
          thumbnailKey: 't',
          posterBytes: 1,
          thumbnailBytes: 1,
          contentType: kind === 'video' ? 'video/mp4' : 'image/jpeg',
          startedAt: new Date(),
          made: kind,
        },
      });
    }
  }
  await createPayment(app.db, account.id);
  await app.db.account.update({ where: { id: account.id }, data: { starBalance: 1_000 } });
  const runningId = await createGeneration(app, account.id, 'model_change', 'generating');
  await app.db.generation.update({ where: { id: runningId }, data: { settings: MODEL_CHANGE } });
  const photo = await createStoredPhoto(app, account.id);
  await app.storage.put(photo.previewKey, Buffer.from('preview'), 'image/webp');
  const picture = await createImageResult(app, account.id);
  const { id: batchId } = await app.db.batch.create({
    data: {
      id: randomUUID(),
      accountId: account.id,
      kind: 'photosession',
      name: 'Партия',
      settings: {},
      rows: {
        create: Array.from({ length: 20 }, (_, position) => ({
          id: randomUUID(),
          position,
          stage: 'ready' as const,
          name: 'photo.jpg',
          photoId: photo.id,
        })),
      },
    },
  });
  return { cookie, accountId: account.id, generationId, runningId, photoId: photo.id, picture, productId, batchId };
}

function listPaths({ user, writer }: Users): Path[] {
  const ask = async (url: string, { cookie }: { cookie: string }, payload?: object) => {
    const method = payload ? 'POST' : 'GET';
    const answer = await fixture.server.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
    return answer.body;
  };
  const get = (group: Group, url: string, name = url): Path => ({
    name,
    group,
    run: () => ask(url, user),
    // An export may be asked for a few times an hour.
    warmUps: group === 'wide' ? WARM_UPS.other : WARM_UPS.read,
  });
  const { picture, photoId } = user;
  return [
    // What a page asks for again and again.
    get('hot', `/api/generations/${user.runningId}`, 'status of a generation under way'),
    get('hot', `/api/generations/${user.generationId}`, 'status of a finished generation'),
    get('hot', '/api/gallery?limit=40', 'page of the gallery'),
    get('hot', '/api/results?limit=40', 'page of all results'),
    get('hot', '/api/videos?limit=40', 'page of videos'),
    get('hot', '/api/stars/balance', 'balance'),
    {
      name: 'claim of a job',
      group: 'hot',
      run: claimJob,
      isMeant: (text) => /skip locked/i.test(text) && /pgboss/.test(text),
    },
    ...[
      '/api/auth/user',
      '/api/user/premium-status',
      '/api/active-generations',
      '/api/photosessions',
      `/api/results?search=${encodeURIComponent('платье')}`,
      `/api/results?product=${user.productId}`,
      '/api/products',
      `/api/products/${user.productId}`,
      '/api/photos',
      '/api/batches',
      '/api/packs',
      `/api/status?generationId=${user.generationId}`,
      `/api/retrieve-video?generationId=${user.generationId}`,
      '/api/gallery/deleted?limit=40',
      '/api/gallery?limit=40&type=photo_generation',
      `/media/results/${picture.generationId}/0/image`,
      `/media/photos/${photoId}/preview`,
      `/api/videos/${user.generationId}/download-access`,
      '/api/stars/history',
      '/api/payments/star-packages',
      '/api/payments/last-invoice',
      '/api/payments/unpaid-invoices',
      '/api/account/sessions',
      '/api/notifications/devices',
      '/api/notifications/unseen',
      '/api/tools',
      '/api/tools/offer',
      '/api/showcase',
      '/api/telegram',
      '/api/catalogue',
      '/api/operator',
    ].map((url) => get('other', url)),
    get('wide', '/api/account/export'),
    get('wide', `/api/batches/${user.batchId}`),
    ...listWrites(writer, (url, payload) => ask(url, writer, payload)),
    ...listJobs(),
  ];
}

function listWrites({ accountId, photoId }: Settled, post: (url: string, payload: object) => Promise<string>): Path[] {
  let startedId = '';
  const start = async () => {
    startedId = JSON.parse(await post('/api/generate', { imageId: photoId, settings: {} })).generationId;
  };
  const end = async () => {
    const generation = await app.db.generation.findUniqueOrThrow({ where: { id: startedId } });
    const files = {
      originalKey: 'o',
      posterKey: 'p',
      thumbnailKey: 't',
      contentType: 'video/mp4',
      posterBytes: 1,
      thumbnailBytes: 1,
    };
    await completeGeneration(app, generation, [{ ...files, position: 0, bytes: 1, width: 900, height: 1200 }]);
  };
  // Only one of a kind may run.
  const startAnew = () => endAll(accountId).then(start);
  const cancel = () => post(`/api/generations/${startedId}/cancel`, {});
  const event = { event_name: 'video_download', page_location: '/app' };
  return [
    { name: 'start', group: 'other', prepare: () => endAll(accountId), run: start },
    { name: 'cancellation', group: 'other', prepare: startAnew, run: cancel },
    { name: 'end of a generation', group: 'other', prepare: startAnew, run: end },
    { name: 'event of the interface', group: 'other', run: () => post('/api/analytics/event', event) },
    {
      name: 'notice',
      group: 'other',
      run: async () => {
        const notice = await app.db.notice.create({
          data: { generationId: startedId, channel: 'mail', target: randomUUID() },
        });
        await sendNotice(app, notice.id);
      },
    },
  ];
}

/** Ends what an earlier run has started. */
async function endAll(accountId: number): Promise<void> {
  await app.db.generation.updateMany({
    where: { accountId, kind: 'video', status: { notIn: ['completed', 'failed'] } },
    data: { status: 'failed', failureCode: 'cancelled', finishedAt: new Date() },
  });
}

function listJobs(): Path[] {
  const { signal } = new AbortController();
  return [
    { name: 'watchdog', group: 'wide', run: () => failOverdueGenerations(app) },
    { name: 'settle-payments', group: 'wide', run: () => settlePayments(app, signal) },
    { name: 'reconcile-star-sales', group: 'wide', run: () => reconcileStarSales(app, signal) },
    { name: 'start of a worker', group: 'wide', run: () => warnOfUnreachable(app) },
    { name: 'sweep of files without a row', group: 'wide', run: () => removeOrphanFiles(app, signal) },
    // It goes over all accounts by design. What must not grow is each of its steps, of which this is the first.
    {
      name: 'first accounts of the search for missing files',
      group: 'wide',
      run: () => markMissingResults(app, AbortSignal.abort()).catch(() => undefined),
    },
  ];
}

/** Sends a job and waits until it was handled. */
async function claimJob(): Promise<void> {
  const handled = once(claims, 'handled');
  const payload = { paymentId: '018f0000-0000-7000-8000-000000000000' };
  await app.db.$transaction((tx) => app.queue.send(tx, 'tell-telegram-purchase', payload));
  await handled;
}

async function readAll(paths: Path[]): Promise<Readings> {
  const readings: Readings = new Map();
  // Apart from the claim, statements of the queue alone are polls of the worker.
  const isOwn = (text: string) => !/pgboss\./.test(text) || /generations/.test(text);
  for (const { name, group, prepare, run, isMeant = isOwn, warmUps = WARM_UPS.other } of paths) {
    // The first runs fill the caches of each connection.
    for (let count = 0; count < warmUps; count++) {
      await prepare?.();
      await run();
    }
    const runs: Statement[][] = [];
    for (let count = 0; count < MEASURED_RUNS; count++) {
      await prepare?.();
      runs.push(await log.read(run, isMeant));
    }
    const [statements = []] = runs.sort((a, b) => sumPages(a) - sumPages(b));
    readings.set(name, { group, statements });
  }
  return readings;
}

function sumPages(statements: readonly Statement[]): number {
  return statements.reduce((sum, { pages }) => sum + pages, 0);
}

interface Growth {
  name: string;
  group: Group;
  /** Further pages of the statement that is nearest to its budget, or furthest beyond. */
  more: number;
  budget: number;
  scanned: string[];
}

function report(small: Readings, large: Readings): void {
  const growths = [...large].map(([name, { group, statements }]) =>
    compare(name, group, small.get(name)?.statements ?? [], statements),
  );
  const own = (group: Group) => growths.filter((growth) => growth.group === group);
  for (const growth of own('hot')) reportGrowth(growth.name, growth);
  const others = own('other').sort(compareExcess);
  const [worst] = others;
  if (worst) reportGrowth(`the worst of ${others.length} others (${worst.name.replace(UUID, ':id')})`, worst);
  const whole = growths.flatMap(({ scanned }) => scanned);
  const what = `tables read whole at ${LARGE} accounts${whole.length > 0 ? ` (${[...new Set(whole)]})` : ''}`;
  reportFigure({ what, unit: 'tables', values: [whole.length], budget: { atMost: 0 } });
}

function reportGrowth(name: string, { more, budget }: Growth): void {
  const what = `growth to ${LARGE} accounts: ${name}`;
  reportFigure({ what, unit: 'further pages', values: [more], budget: { atMost: budget } });
}

/** First what is furthest beyond its budget. */
function compareExcess(a: Pick<Growth, 'more' | 'budget'>, b: Pick<Growth, 'more' | 'budget'>): number {
  return b.more - b.budget - (a.more - a.budget);
}

/** Prints what has grown beyond its budget, statement by statement. */
function compare(name: string, group: Group, small: Statement[], large: Statement[]): Growth {
  const sum = (statements: Statement[]) => statements.reduce((pages, one) => pages + one.pages, 0);
  const before = mostPages(small);
  const growths = [...mostPages(large)]
    .map(([text, { pages, lookUps, plan }]) => ({
      text,
      pages,
      plan,
      more: pages - (before.get(text)?.pages ?? 0),
      budget: Math.max(BUDGET_PAGES, lookUps),
    }))
    .sort(compareExcess);
  const { more, budget } = growths[0] ?? { more: Number.NaN, budget: Number.NaN };
  const scanned = large.flatMap((statement) => statement.scanned);
  const whole = scanned.length > 0 ? `, reads all of ${[...new Set(scanned)]}` : '';
  console.log(`${name}: ${sum(small)} pages, ${sum(large)} (${large.length} statements, one grows by ${more}${whole})`);
  for (const { text, pages, plan, ...growth } of growths) {
    if (growth.more <= growth.budget) continue;
    console.log(`  ${pages - growth.more} to ${pages} by ${plan}: ${text.slice(0, 160)}`);
  }
  return { name, group, more, budget, scanned };
}

/** The run of each statement that has read most. Lists of parameters may differ in length. */
function mostPages(statements: Statement[]): Map<string, Statement> {
  const most = new Map<string, Statement>();
  for (const statement of statements) {
    const text = statement.text.replaceAll(/\(\$\d+(?:,\s*\$\d+)*\)/g, '($)');
    if ((most.get(text)?.pages ?? -1) < statement.pages) most.set(text, statement);
  }
  return most;
}

import { beforeAll, describe, expect, it } from 'vitest';
import type { GenerationKind, Prisma } from '#prisma/generated/client.ts';
import type { EngineFigures } from '#shared/contract/engines.ts';
import { createAccount, createEngineRun, createGeneration } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { createAdmin, type TestUser } from '#tests/support/users.ts';

/** 9:00 in Moscow. */
const MARCH_3 = '2026-03-03T06:00:00Z';
const MARCH = '?startDate=2026-03-01&endDate=2026-03-31';

const testApp = useTestApp();
let admin: TestUser;
let accountId: number;

beforeAll(async () => {
  admin = await createAdmin(testApp);
  accountId = (await createAccount(testApp.app)).id;
  await orderVideos();
  await orderOthers();
  await sellStars();
});

interface Order {
  kind?: GenerationKind;
  engine?: string;
  at?: string;
  /** Seconds to the end. */
  took?: number;
  /** Absent when it was completed. */
  failure?: string;
  /** Movements of the ledger. */
  stars?: number[];
  runs?: Parameters<typeof createEngineRun>[2][];
}

async function place({ kind = 'video', engine = 'fal', at = MARCH_3, took, failure, stars = [], runs = [] }: Order) {
  const { app } = testApp;
  const { id: accountId } = await createAccount(app);
  const id = await createGeneration(app, accountId, kind, 'generating');
  const createdAt = new Date(at);
  const ended = took === undefined ? null : new Date(createdAt.getTime() + took * 1000);
  const status: Prisma.GenerationUpdateInput['status'] = failure ? 'failed' : ended ? 'completed' : 'generating';
  const [held, returned] = stars;
  const move = (entryKind: 'hold' | 'capture' | 'release', delta: number) =>
    app.db.starEntry.create({
      data: { accountId, kind: entryKind, delta, causeKey: `${entryKind}:${id}`, generationId: id },
    });
  // The stars are held at the start.
  if (held !== undefined) await move('hold', held);
  await app.db.generation.update({
    where: { id },
    data: { engine, createdAt, status, failureCode: failure ?? null, finishedAt: ended },
  });
  if (returned !== undefined) await move(failure ? 'release' : 'capture', returned);
  for (const run of runs) await createEngineRun(app, id, { engine, kind, createdAt, ...run });
}

const CHARGED = { costMicros: 350_000, currency: 'USD' };

/** Ten completed videos, a failed, a refused, a cancelled and a running one, and one of another month. */
async function orderVideos(): Promise<void> {
  for (let count = 1; count <= 10; count++) {
    await place({ took: count * 60, stars: [-1, 0], runs: [CHARGED] });
  }
  await place({
    took: 300,
    failure: 'engine_error',
    stars: [-2, 2],
    runs: [
      { ...CHARGED, costMicros: 0, status: 'failed', failureCode: 'engine_error' },
      { ...CHARGED, reason: 'failed_before', status: 'uncertain' },
      { ...CHARGED, reason: 'submit_interrupted', status: 'failed' },
    ],
  });
  await place({ took: 5, failure: 'content_refused', stars: [-1, 1] });
  await place({ took: 6, failure: 'content_refused', stars: [-1, 1] });
  await place({ took: 7, failure: 'cancelled', stars: [-1, 1], runs: [{ ...CHARGED, status: 'cancelled' }] });
  await place({ stars: [-1], runs: [{ ...CHARGED, status: 'submitted', finishedAt: null }] });
  await place({ at: '2026-04-02T06:00:00Z', took: 60, stars: [-1, 0], runs: [CHARGED] });
}

/** Three frames of a session: two of its four stars came back. And a session by the engine on this server. */
async function orderOthers(): Promise<void> {
  await place({ kind: 'photosession', took: 90, stars: [-4, 2], runs: [{ costMicros: 40_000, currency: 'USD' }] });
  await place({ kind: 'photosession', engine: 'local', took: 30, stars: [-4, 0], runs: [{}] });
}

/** 100 stars for 4000 roubles, and payments that say nothing of a price in roubles. */
async function sellStars(): Promise<void> {
  const sale = { accountId, provider: 'yookassa', packageName: 'Показ', status: 'succeeded', paidAt: MARCH_3 } as const;
  const { payment } = testApp.app.db;
  await payment.create({ data: { ...sale, stars: 20, amountMinor: 100_000 } });
  await payment.create({ data: { ...sale, stars: 80, amountMinor: 300_000 } });
  await payment.create({ data: { ...sale, stars: 80, amountMinor: 20_000, currency: 'XTR' } });
  await payment.create({ data: { ...sale, stars: 80, amountMinor: 1, isTest: true } });
  await payment.create({ data: { ...sale, stars: 80, amountMinor: 1, paidAt: '2026-05-01T06:00:00Z' } });
}

const ask = (path: string, query: string) =>
  testApp.server.inject({ method: 'GET', url: `/api/analytics/${path}${query}`, headers: { cookie: admin.cookie } });
const read = async (query: string): Promise<{ engines: EngineFigures[]; starPriceRub: number | null }> =>
  (await ask('engines', query)).json();
async function readVideos(query = MARCH): Promise<EngineFigures | undefined> {
  return (await read(query)).engines.find(({ engine, kind }) => engine === 'fal' && kind === 'video');
}

describe('the figures by engine and tool', () => {
  it('have a row for each, with its orders by outcome', async () => {
    const { engines } = await read(MARCH);
    expect(engines.map(({ engine, kind }) => [engine, kind])).toEqual([
      ['fal', 'video'],
      ['fal', 'photosession'],
      ['local', 'photosession'],
    ]);
    expect(await readVideos()).toMatchObject({
      orders: 15,
      completed: 10,
      failed: 3,
      cancelled: 1,
      failures: [
        { code: 'content_refused', count: 2 },
        { code: 'engine_error', count: 1 },
      ],
    });
  });

  it('have the median and the 90th percentile of completed orders only', async () => {
    expect(await readVideos()).toMatchObject({ medianSeconds: 330, p90Seconds: 546 });
  });

  it('have the cost of all jobs, also of failed and cancelled orders, with resubmits and uncertain submits apart', async () => {
    const videos = await readVideos();
    expect(videos?.jobs).toBe(15);
    expect(videos?.costs).toEqual([
      { currency: 'USD', amount: expect.closeTo(14 * 0.35), resubmits: 0.35, rerolls: 0, uncertain: 0.35 },
    ]);
    const { engines } = await read(MARCH);
    expect(engines.at(-1)).toMatchObject({ engine: 'local', jobs: 1, costs: [] });
  });

  it('value the stars that were spent at the average price of the stars that were bought for roubles', async () => {
    const { engines, starPriceRub } = await read(MARCH);
    expect(starPriceRub).toBe(40);
    expect(engines.map(({ stars, revenueRub }) => [stars, revenueRub])).toEqual([
      [10, 400],
      [2, 80],
      [4, 160],
    ]);
  });

  it('have no revenue for a period in which no star was bought for roubles', async () => {
    const { engines, starPriceRub } = await read('?startDate=2026-04-01&endDate=2026-04-30');
    expect([starPriceRub, engines.map(({ stars, revenueRub }) => [stars, revenueRub])]).toEqual([null, [[1, null]]]);
  });

  it('count an order on its Moscow day', async () => {
    await place({ engine: 'night', at: '2026-06-09T20:59:59.999Z', took: 60, runs: [CHARGED] });
    await place({ engine: 'night', at: '2026-06-09T21:00:00.000Z', took: 60, runs: [CHARGED] });
    const { engines } = await read('?startDate=2026-06-10&endDate=2026-06-10');
    expect(engines.map(({ orders, jobs }) => [orders, jobs])).toEqual([[1, 1]]);
    expect((await ask('engines', '?startDate=oops')).statusCode).toBe(400);
  });

  it('have the waits of the days of the period, whether it is whole months, parts of them, or both', async () => {
    const DAYS = { '2026-08-30': 10, '2026-08-31': 20, '2026-09-15': 30, '2026-10-01': 40, '2026-10-02': 50 };
    for (const [day, took] of Object.entries(DAYS)) await place({ engine: 'spread', at: `${day}T09:00:00Z`, took });
    for (const [query, median, p90] of [
      ['?startDate=2026-08-31&endDate=2026-10-01', 30, 38],
      ['?startDate=2026-08-30&endDate=2026-09-30', 20, 28],
      ['?startDate=2026-09-01&endDate=2026-10-02', 40, 48],
      ['?startDate=2026-09-01&endDate=2026-09-30', 30, 30],
      ['?startDate=2026-08-31&endDate=2026-09-15', 25, 29],
      ['?startDate=2026-09-16&endDate=2026-10-01', 40, 40],
      ['?startDate=2026-10-02&endDate=2026-10-31', 50, 50],
      ['?endDate=2026-10-01', 25, 37],
      ['?startDate=2026-08-31', 35, 47],
      ['', 30, 46],
    ] as const) {
      const spread = (await read(query)).engines.find(({ engine }) => engine === 'spread');
      expect([query, spread?.medianSeconds, spread?.p90Seconds]).toEqual([query, median, p90]);
    }
  });

  it('are a CSV file', async () => {
    const response = await ask('engines.csv', MARCH);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('podium-engines.csv');
    expect(response.body.split('\r\n').slice(1)).toEqual([
      'fal;Видео;15;10;1;3;content_refused: 2, engine_error: 1;330;546;10;400;15;4,9;USD;0,35;0;0,35',
      'fal;Фотосессия;1;1;0;0;;90;90;2;80;1;0,04;USD;0;0;0',
      'Встроенный;Фотосессия;1;1;0;0;;30;30;4;160;1',
      '',
    ]);
  });
});

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countMetrics } from '#api/services/administration/analytics-counts.ts';
import { METRIC_NAMES, METRICS } from '#shared/contract/analytics.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { createAdmin, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let admin: TestUser;

/** In Moscow: the last moment of 9 March, the first of 10 March and the last of 11 March. */
const [LATE_9, EARLY_10, LATE_11] = ['2026-03-09T20:59:59.999Z', '2026-03-09T21:00:00Z', '2026-03-11T20:59:59.999Z'];

beforeAll(async () => {
  const { db } = testApp.app;
  admin = await createAdmin(testApp);
  await db.account.updateMany({ data: { createdAt: new Date('2026-01-01') } });
  for (const createdAt of [LATE_9, EARLY_10, LATE_11]) {
    const { id: accountId } = await createAccount(testApp.app);
    await db.account.update({ where: { id: accountId }, data: { createdAt } });
    const finished = { finishedAt: createdAt, createdAt: '2026-03-01T00:00:00Z' };
    const video = await createGeneration(testApp.app, accountId, 'video');
    await db.generation.update({ where: { id: video }, data: finished });
    await createGeneration(testApp.app, accountId, 'model_change');
    const common = { accountId, provider: 'sandbox', packageName: 'Показ', stars: 50, amountMinor: 199_000 };
    await db.payment.create({ data: { ...common, createdAt } });
    // A paid invoice counts on the day of its payment.
    await db.payment.create({
      data: { ...common, status: 'succeeded', createdAt: '2026-02-01T00:00:00Z', paidAt: createdAt },
    });
    await db.payment.create({ data: { ...common, status: 'canceled', createdAt } });
    const names = [
      'buy_stars_click',
      'buy_stars_checkout_started',
      'buy_stars_package_selected',
      'video_download',
      'cases_link_clicked',
      'change_model_opened',
      'download_options_opened',
    ];
    await db.analyticsEvent.createMany({
      data: names.map((name) => ({ name, pageLocation: '/app', createdAt: new Date(createdAt) })),
    });
  }
});

const ask = (path: string, query: string) =>
  testApp.server.inject({ method: 'GET', url: `/api/analytics${path}${query}`, headers: { cookie: admin.cookie } });
/** Each payment buys 50 stars for 1 990 roubles. */
const all = (count: number) => ({
  ...Object.fromEntries(METRICS.map((metric) => [metric, count])),
  starsSold: 50 * count,
  revenueRub: 1990 * count,
});

describe('the figures', () => {
  it.each([
    ['?startDate=2026-03-09&endDate=2026-03-11', 3],
    ['?startDate=2026-03-10&endDate=2026-03-11', 2],
    ['?startDate=2026-03-10&endDate=2026-03-10', 1],
    ['?startDate=2026-03-12&endDate=2026-03-31', 0],
    ['?startDate=2026-03-10', 2],
  ])('of %s have both Moscow days in them', async (query, count) => {
    const response = await ask('', query);
    expect([response.statusCode, response.json()]).toEqual([200, all(count)]);
  });

  it('without bounds are of all time', async () => {
    expect((await ask('', '')).json()).toEqual({ ...all(3), registrations: 4 });
    expect((await ask('', '?startDate=0001-01-01&endDate=9999-12-31')).json()).toEqual({ ...all(3), registrations: 4 });
    expect((await ask('', '?endDate=2026-03-09')).json()).toEqual({ ...all(1), registrations: 2 });
  });

  it.each(['', '/daily', '/daily.csv'])('of /api/analytics%s are refused for nonsense, in Russian', async (path) => {
    for (const query of [
      '?startDate=oops',
      '?startDate=2026-02-30',
      '?endDate=01.03.2026',
      '?endDate=2026-03-01T00:00:00Z',
      '?startDate=2026-03-02&endDate=2026-03-01',
      '?startDate=2026-03-01&startDate=2026-03-02',
      "?startDate=2026-01-01'--",
    ]) {
      const response = await ask(path, query);
      expect([query, response.statusCode, response.json().code]).toEqual([query, 400, 'invalid_request']);
      expect(response.json().message).toMatch(/[а-я]/);
    }
  });
});

describe('the daily series', () => {
  it('has every day of the period, with the counts of its Moscow day', async () => {
    const { days } = (await ask('/daily', '?startDate=2026-03-08&endDate=2026-03-12')).json();
    expect(days).toEqual([
      { date: '2026-03-08', counts: all(0) },
      { date: '2026-03-09', counts: all(1) },
      { date: '2026-03-10', counts: all(1) },
      { date: '2026-03-11', counts: all(1) },
      { date: '2026-03-12', counts: all(0) },
    ]);
  });

  it('with an open start begins where there is something, and is never longer than a year', async () => {
    const open = (await ask('/daily', '?endDate=2026-04-01')).json().days;
    expect([open.at(0).date, open.at(-1).date]).toEqual(['2026-01-01', '2026-04-01']);
    const long = (await ask('/daily', '?startDate=2020-01-01&endDate=2026-04-01')).json().days;
    expect([long.length, long.at(-1).date]).toEqual([366, '2026-04-01']);
    expect((await ask('/daily', '?startDate=2999-01-01&endDate=2999-02-01')).json().days).toEqual([]);
  });

  it('ends today when its end is open', async () => {
    const nameToday = () => new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
    const before = nameToday();
    const { days } = (await ask('/daily', '')).json();
    // A day may begin meanwhile.
    expect([before, nameToday()]).toContain(days.at(-1).date);
  });

  it('is a CSV file that a Russian Excel reads', async () => {
    const response = await ask('/daily.csv', '?startDate=2026-03-09&endDate=2026-03-09');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('podium-analytics.csv');
    const names = METRICS.map((metric) => METRIC_NAMES[metric]).join(';');
    expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(response.body).toBe(`\u{feff}Дата;${names}\r\n2026-03-09;1;1;1;1;1;1;1;1;1;50;1990\r\n`);
  });
});

describe('revenue and stars sold', () => {
  const PERIOD = '?startDate=2026-05-01&endDate=2026-05-31';
  const packageName = 'Выручка';
  const PAID = { packageName, provider: 'sandbox', status: 'succeeded', stars: 20, amountMinor: 99_050 } as const;
  const [DAY_3, DAY_5] = ['2026-05-03T09:00:00Z', '2026-05-05T09:00:00Z'];

  afterEach(async () => {
    const { db } = testApp.app;
    await db.refund.deleteMany({ where: { payment: { packageName } } });
    await db.payment.deleteMany({ where: { packageName } });
  });

  async function pay(more: { currency?: string; isTest?: boolean }, refunds: 'succeeded' | 'canceled'): Promise<void> {
    const { db } = testApp.app;
    const { id: paymentId } = await db.payment.create({
      data: { ...PAID, accountId: admin.account.id, paidAt: DAY_3, ...more },
    });
    const refund = { paymentId, amountMinor: 29_000, stars: 6, starsTaken: 2, reason: 'Проверка' };
    await db.refund.create({ data: { ...refund, status: refunds, finishedAt: DAY_5 } });
  }

  it('are what was paid in roubles, less what went back on its own day; Telegram Stars bring no roubles', async () => {
    await pay({}, 'succeeded');
    await pay({}, 'canceled');
    await pay({ currency: 'XTR' }, 'succeeded');
    expect((await ask('', PERIOD)).json()).toMatchObject({
      completedTransactions: 3,
      starsSold: 60 - 12,
      revenueRub: 2 * 990.5 - 290,
    });
    const { days } = (await ask('/daily', '?startDate=2026-05-03&endDate=2026-05-05')).json();
    const figures = days.map(({ counts }: { counts: Record<string, number> }) => [counts.starsSold, counts.revenueRub]);
    expect(figures).toEqual([
      [60, 1981],
      [0, 0],
      [-12, -290],
    ]);
  });

  it('leave out payments in which no money moved, and so do the payments’ counts, unless their provider is one of tests', async () => {
    await pay({}, 'canceled');
    await pay({ isTest: true }, 'succeeded');
    const may = { startDate: '2026-05-01', endDate: '2026-05-31' };
    const count = (isTest: boolean, name = 'sandbox') =>
      countMetrics({ db: testApp.app.db, payments: { offered: [{ name, isTest }] } }, may);
    expect(await count(true, 'tbank')).toEqual(await count(false));
    expect(await count(false)).toMatchObject({ completedTransactions: 1, starsSold: 20, revenueRub: 990.5 });
    expect(await count(true)).toMatchObject({ completedTransactions: 2, starsSold: 34, revenueRub: 1691 });
  });
});

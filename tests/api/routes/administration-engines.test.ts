import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRowId } from '#api/database/database.ts';
import {
  assertEngineReady,
  noteFailedProbe,
  noteFailure,
  noteSuccess,
  requestTrial,
  takeTrial,
} from '#api/services/generations/engine-health/engine-outages.ts';
import type { AdminOutage, EngineStates } from '#shared/contract/engines.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { createAccount, createEngineRun, createGeneration } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { createAdmin, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp({ env: { ENGINE_DAILY_BUDGET: '1', ENGINE_FREE_RUNS: '40' } });
let admin: TestUser;

beforeAll(async () => {
  Object.assign(testApp.engine, { photosTravel: 'abroad' });
  admin = await createAdmin(testApp);
});
afterEach(async () => {
  await testApp.app.db.engineOutage.deleteMany();
  await testApp.app.db.engineRun.deleteMany();
});

const headers = () => ({ cookie: admin.cookie });

async function readStates(): Promise<EngineStates> {
  const response = await testApp.server.inject({ method: 'GET', url: '/api/admin/engines', headers: headers() });
  expect(response.statusCode).toBe(200);
  return response.json();
}
const tryAgain = (id: string) =>
  testApp.server.inject({ method: 'POST', url: `/api/admin/engine-outages/${id}/trial`, headers: headers() });
async function listTrials(): Promise<{ action: string }[]> {
  const response = await testApp.server.inject({ method: 'GET', url: '/api/admin/audit', headers: headers() });
  return response.json().entries.filter(({ action }: { action: string }) => action === 'engine_trial_requested');
}
async function order(): Promise<void> {
  const outages = await assertEngineReady(testApp.app, testApp.engine, { kind: 'video', account: null });
  await takeTrial(testApp.app, outages, createRowId());
}

/** Two orders of people who have never paid, and jobs for 0.7 USD today and 0.35 USD the day before. */
async function spend(): Promise<void> {
  const { app } = testApp;
  const { id } = await createAccount(app);
  const charged = { costMicros: 350_000, currency: 'USD', isUnpaid: true };
  const first = await createGeneration(app, id, 'video');
  await createEngineRun(app, first, charged);
  await createEngineRun(app, await createGeneration(app, id, 'video'), charged);
  await createEngineRun(app, first, { ...charged, createdAt: new Date(Date.now() - 25 * 3_600_000) });
}

describe('the engines in the administration', () => {
  it('are shown by tool, with what they can do, and what was spent today', async () => {
    await spend();
    const { tools, ...others } = await readStates();
    const engineOf = (kind: string) => tools.find((tool) => tool.kind === kind)?.engine;
    const fake = { name: 'fake', photosTravel: 'abroad' };
    expect(engineOf('video')).toMatchObject({ ...fake, abilities: { mover: 'person', seconds: [5, 10] } });
    expect(engineOf('model_change')).toMatchObject({ ...fake, abilities: { change: 'model_change' } });
    expect(tools.map(({ obstacle }) => obstacle)).toEqual(tools.map(() => null));
    expect(others).toEqual({
      outages: [],
      spentToday: [{ engine: 'fake', amount: 0.7, currency: 'USD' }],
      dailyBudget: 1,
      freeRunsToday: 2,
      freeRunsPerDay: 40,
    });
  });

  it('say what people read when nothing can be started', async () => {
    await noteFailedProbe(testApp.app, testApp.engine, 'video', {
      code: 'engine_misconfigured',
      detail: 'no such model',
    });
    const { tools, outages } = await readStates();
    expect(tools.find(({ kind }) => kind === 'video')?.obstacle).toMatch(/на обслуживании/);
    expect(tools.find(({ kind }) => kind === 'model_change')?.obstacle).toBeNull();
    expect(outages).toMatchObject([
      {
        engine: 'fake',
        kind: 'video',
        cause: 'misconfigured',
        detail: 'no such model',
        closedAt: null,
        hasOrders: true,
      },
    ]);
  });

  it('show open outages first, then those that ended within 30 days', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    const common = { engine: 'fake', kind: 'video', cause: 'failing', retryAt: day(0) } as const;
    for (const [detail, openedAt, closedAt] of [
      ['long ago', day(40), day(31)],
      ['first', day(12), day(11)],
      ['second', day(3), day(2)],
      ['open', day(20), null],
    ] as const) {
      await testApp.app.db.engineOutage.create({ data: { ...common, detail, openedAt, closedAt } });
    }
    await testApp.app.db.engineOutage.create({
      data: { ...common, engine: 'former', detail: 'other', openedAt: day(50) },
    });
    const { outages } = await readStates();
    expect(outages.map(({ detail, hasOrders }) => [detail, hasOrders])).toEqual([
      ['open', true],
      ['other', false],
      ['second', true],
      ['first', true],
    ]);
  });
});

describe('«Проверить снова»', () => {
  async function open(): Promise<AdminOutage> {
    await noteFailure(testApp.app, testApp.engine, 'video', { code: 'engine_unfunded', detail: 'exhausted' });
    return (await readStates()).outages[0] as AdminOutage;
  }

  it('lets exactly one order through, and the success of that one ends the outage', async () => {
    const { id } = await open();
    await expect(order()).rejects.toMatchObject({ code: 'engine_maintenance' });
    expect((await tryAgain(id)).statusCode).toBe(204);
    await order();
    await expect(order()).rejects.toMatchObject({ code: 'engine_maintenance' });
    await noteSuccess(testApp.app, testApp.engine, 'video', new Date());
    await order();
    expect((await readStates()).outages).toMatchObject([{ id, closedAt: expect.any(String) }]);
  });

  it('is in the audit once, however often it is pressed before the next order', async () => {
    const { id } = await open();
    const before = (await listTrials()).length;
    await Promise.all(Array.from({ length: 8 }, () => tryAgain(id)));
    const trials = await listTrials();
    expect(trials).toHaveLength(before + 1);
    expect(trials.slice(0, 1)).toMatchObject([
      { admin: admin.email, accountId: null, details: { engine: 'fake', tool: null, cause: 'unfunded' } },
    ]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'counts once when the clock of one server is behind that of another',
    async () => {
      const { id } = await open();
      const { db } = testApp.app;
      const ahead = Date.now() + 1_000;
      let second: ReturnType<typeof requestTrial> | undefined;
      vi.useFakeTimers({ toFake: ['Date'], now: ahead });
      try {
        const first = await db.$transaction(async (tx) => {
          const trial = await requestTrial(tx, id);
          vi.setSystemTime(ahead - 1_000);
          second = db.$transaction((other) => requestTrial(other, id));
          await expect.poll(() => countLockWaits(testApp.database), { timeout: 30_000 }).toBeGreaterThan(0);
          return trial;
        });
        expect([first.isNew, (await second)?.isNew]).toEqual([true, false]);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('says so when the outage has ended or never was', async () => {
    const { id } = await open();
    await noteSuccess(testApp.app, testApp.engine, 'video', new Date());
    for (const gone of [id, '0f8f0b1e-0000-4000-8000-000000000000', 'oops']) {
      const response = await tryAgain(gone);
      expect([response.statusCode, response.json().code]).toEqual([404, 'outage_not_found']);
    }
  });
});

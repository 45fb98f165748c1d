import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { closeReport } from '#api/services/administration/reports.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { reportResult } from '#api/services/generations/reports/result-reports.ts';
import { returnLostStars } from '#api/services/generations/results/lost-results.ts';
import { cancelGeneration } from '#api/services/generations/running/cancel-generation.ts';
import {
  addResults,
  completeGeneration,
  endGeneration,
  failOverdueGenerations,
} from '#api/services/generations/running/outcome.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { startReroll } from '#api/services/generations/starting/start-reroll.ts';
import { insertRefund } from '#api/services/payments/refunds.ts';
import { creditPurchase, grantSignupBonus, lockBalance } from '#api/services/stars/ledger.ts';
import type { Generation, Refund, Result, ResultReport, StarEntry } from '#prisma/generated/client.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { photosessionRefund } from '#shared/rules/prices.ts';
import {
  createAccount,
  createImageResult,
  createPayment,
  createStoredPhoto,
  VIDEO_RESULT,
} from '#tests/support/factories.ts';
import { propertyRuns } from '#tests/support/property-runs.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const ACCOUNTS = 3;
const ADMIN_ID = 1;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
  // With most of the oldest results missing the storage would be taken for a wrong one, and nothing for lost.
  const { app } = testApp;
  const { id } = await createAccount(app);
  for (const _ of Array.from({ length: 10 })) await createImageResult(app, id);
});
afterAll(() => testApp.close());

interface TestUser {
  accountId: number;
  photoId: string;
}

/** Steps that only a finished generation can take. */
const AFTERWARDS = ['reroll', 'complain', 'lose'] as const;

/** A step of a person, the worker or the clock. `pick` chooses one of the existing generations. */
const operation = fc.record({
  user: fc.nat(ACCOUNTS - 1),
  pick: fc.nat(3),
  what: fc.oneof(
    fc.constant({ kind: 'bonus' as const }),
    { weight: 2, arbitrary: fc.constant({ kind: 'buy' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'refund' as const }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('start' as const),
        tool: fc.constantFrom(...GENERATION_KINDS),
        duration: fc.constantFrom(5 as const, 10 as const),
        key: fc.nat(4),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('show-frame' as const), position: fc.nat(4) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('complete' as const), frames: fc.integer({ min: 1, max: 5 }) }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'reroll' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('complain' as const), position: fc.nat(1) }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'lose' as const }) },
    fc.constant({ kind: 'fail' as const }),
    fc.constant({ kind: 'cancel' as const }),
    fc.constant({ kind: 'grow-old' as const }),
    fc.constant({ kind: 'watchdog' as const }),
  ),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

test('whatever happens in whatever order, the balance is the sum of the ledger and every hold ends once', {
  // A retry would draw other cases and hide the one that failed.
  retry: 0,
}, async () => {
  const { app } = testApp;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 8 }),
      async (rounds) => {
        const users = await Promise.all(Array.from({ length: ACCOUNTS }, () => createUser(app)));
        for (const round of rounds) await Promise.all(round.map((step) => perform(app, users, step)));
        for (const user of users) await checkBooks(app, user.accountId);
      },
    ),
    // A repeat would interleave the steps differently. Shrinking would only hide the failure behind a timeout.
    { numRuns: propertyRuns(25), endOnFailure: true },
  );
});

async function createUser(app: AppContext): Promise<TestUser> {
  const account = await createAccount(app, { isVerified: true, stars: 6 });
  const photo = await createStoredPhoto(app, account.id);
  return { accountId: account.id, photoId: photo.id };
}

async function perform(app: AppContext, users: TestUser[], { user, pick, what }: Operation): Promise<void> {
  const actor = users[user] as TestUser;
  switch (what.kind) {
    case 'bonus':
      await app.db.$transaction((tx) => grantSignupBonus(tx, actor.accountId));
      return;
    case 'buy':
      await buy(app, actor.accountId);
      return;
    case 'refund':
      await refundAll(app, actor.accountId, pick);
      return;
    case 'start': {
      const idempotencyKey = what.key === 0 ? null : `key-${what.key}`;
      await allowed(startTool(app, actor, what.tool, what.duration, idempotencyKey));
      return;
    }
    case 'watchdog':
      await failOverdueGenerations(app);
      return;
  }
  const isAfterwards = AFTERWARDS.some((kind) => kind === what.kind);
  const generations = await app.db.generation.findMany({
    where: { accountId: actor.accountId, ...(isAfterwards ? { status: 'completed' } : {}) },
    orderBy: { id: 'desc' },
  });
  const generation = generations[pick % Math.max(1, generations.length)];
  if (!generation) return;
  if (what.kind === 'complete') {
    const frames = generation.kind === 'photosession' ? what.frames : 1;
    await completeGeneration(
      app,
      generation,
      Array.from({ length: frames }, (_, position) => ({ ...VIDEO_RESULT, position })),
    );
  }
  if (what.kind === 'show-frame' && generation.kind === 'photosession') {
    await addResults(app, generation, [{ ...VIDEO_RESULT, position: what.position }]);
  }
  if (what.kind === 'reroll') await allowed(rerollDrifted(app, generation));
  if (what.kind === 'complain') await allowed(repay(app, generation, what.position));
  // No file of these results was ever stored.
  if (what.kind === 'lose') await allowed(returnLostStars(app, actor.accountId, generation.id));
  if (what.kind === 'fail') await endGeneration(app, generation, 'engine_error');
  if (what.kind === 'cancel') await allowed(cancelGeneration(app, actor.accountId, generation.id));
  if (what.kind === 'grow-old') {
    await app.db.generation.update({
      where: { id: generation.id },
      data: { createdAt: new Date(Date.now() - 3_600_000) },
    });
  }
}

async function buy(app: AppContext, accountId: number): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const { id, stars } = await createPayment(tx, accountId);
    await creditPurchase(tx, { id, accountId, stars });
  });
}

/** The provider pays back everything of a payment. */
async function refundAll(app: AppContext, accountId: number, pick: number): Promise<void> {
  await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const payments = await tx.payment.findMany({ where: { accountId, refundedMinor: 0 } });
    const payment = payments[pick % Math.max(1, payments.length)];
    if (!payment) return;
    const { amountMinor } = payment;
    await insertRefund(tx, payment, { amountMinor, reason: 'test', status: 'succeeded', finishedAt: new Date() });
    await tx.payment.update({ where: { id: payment.id }, data: { refundedMinor: amountMinor } });
  });
}

/** The check finds that every result has drifted, and the person wants them once more. */
async function rerollDrifted(app: AppContext, { id, accountId }: { id: string; accountId: number }): Promise<void> {
  const results = await app.db.result.findMany({ where: { generationId: id } });
  await app.db.garmentCheck.createMany({
    data: results.map((result) => ({ resultId: result.id, verdict: 'drifted' as const })),
    skipDuplicates: true,
  });
  await startReroll(app, accountId, id);
}

/** The person complains, and an administrator finds the complaint right. */
async function repay(app: AppContext, { id: generationId, accountId }: Generation, position: number): Promise<void> {
  const complaint = { reason: 'garment_distorted', comment: null } as const;
  await reportResult(app, accountId, { generationId, position }, complaint);
  const report = await app.db.resultReport.findFirst({ where: { status: 'open', result: { generationId, position } } });
  if (report) await closeReport(app, ADMIN_ID, report.id, { decision: 'stars_returned', answer: null });
}

function startTool(
  app: AppContext,
  { accountId, photoId }: TestUser,
  tool: (typeof GENERATION_KINDS)[number],
  duration: 5 | 10,
  idempotencyKey: string | null,
): Promise<unknown> {
  const order = { account: { id: accountId }, photos: { subject: { imageId: photoId } }, key: idempotencyKey };
  if (tool === 'video') {
    return startGeneration(app, { ...order, kind: tool, choice: videoSettings.parse({ duration }) });
  }
  if (tool === 'photosession') return startGeneration(app, { ...order, kind: tool, choice: {} });
  const modelImageUrl = app.catalogue.models[0]?.imageUrl ?? '';
  return startGeneration(app, { ...order, kind: 'model_change', choice: { modelImageUrl, backgroundImageUrl: '' } });
}

/** Ignores refusals, which are expected. Any other error fails the test. */
async function allowed(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  });
}

async function checkBooks(app: AppContext, accountId: number): Promise<void> {
  const account = await app.db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: {
      starEntries: true,
      payments: { include: { refunds: true } },
      generations: { include: { starEntries: true, results: true, resultReports: true } },
    },
  });
  expect(account.starEntries.reduce((sum, entry) => sum + entry.delta, 0)).toBe(account.starBalance);
  expect(account.starBalance).toBeGreaterThanOrEqual(0);
  for (const refund of account.payments.flatMap(({ refunds }) => refunds)) {
    const entries = account.starEntries.filter(({ causeKey }) => causeKey.startsWith(`refund:${refund.id}`));
    expect(entries.reduce((sum, { delta }) => sum - delta, 0)).toBe(refund.starsTaken);
    expect(refund.starsTaken).toBeLessThanOrEqual(refund.stars);
    if (refund.starsTaken < refund.stars) checkShortfall(account, refund);
  }
  const active = account.generations.filter((one) => !['completed', 'failed'].includes(one.status));
  expect(new Set(active.map(({ kind }) => kind)).size).toBe(active.length);
  const rerolled = account.generations
    .filter(({ status, failureCode }) => status !== 'failed' || failureCode === 'cancelled')
    .flatMap(({ rerollOfId }) => rerollOfId ?? []);
  expect(new Set(rerolled).size).toBe(rerolled.length);
  for (const generation of account.generations) {
    const repaid = generation.starEntries.filter(({ kind }) => kind === 'correction');
    const settled = generation.starEntries.filter(({ kind }) => kind !== 'correction');
    const kinds = settled.map((entry) => entry.kind).sort();
    if (generation.rerollOfId !== null) {
      expect({ kinds, stars: generation.stars }).toEqual({ kinds: [], stars: 0 });
      // One that runs may have shown its first frames.
      if (!active.includes(generation)) expect(generation.results.length > 0).toBe(generation.status === 'completed');
      continue;
    }
    const isLate = generation.status === 'completed' && kinds.includes('release');
    const spent = settled.reduce((sum, entry) => sum - entry.delta, 0);
    const frames = generation.results.length;
    if (generation.status === 'completed') {
      expect(kinds).toEqual(isLate ? ['hold', 'release'] : ['capture', 'hold']);
      expect(frames).toBeGreaterThan(0);
      const refund = generation.kind === 'photosession' ? photosessionRefund(frames) : 0;
      expect(spent).toBe(isLate ? 0 : generation.stars - refund);
    } else if (generation.status === 'failed') {
      expect(kinds).toEqual(['hold', 'release']);
      expect({ spent, frames }).toEqual({ spent: 0, frames: 0 });
    } else {
      expect(kinds).toEqual(['hold']);
      expect(spent).toBe(generation.stars);
    }
    expect(new Set(generation.results.map(({ position }) => position)).size).toBe(frames);
    expect(repaid.reduce((sum, { delta }) => sum + delta, 0)).toBeLessThanOrEqual(spent);
    expect(new Set(repaid.map(({ resultPosition }) => resultPosition)).size).toBe(repaid.length);
    const remade = account.generations.find((one) => one.rerollOfId === generation.id && one.status !== 'failed');
    for (const cause of listOwnCauses(generation)) {
      const entry = repaid.find(({ causeKey }) => causeKey === cause);
      if (entry) expect(remade?.positions ?? [], cause).not.toContain(entry.resultPosition);
    }
  }
}

/** The causes by which the price of its own results may have come back, and not that of results made in their place. */
function listOwnCauses({ results, resultReports }: { results: Result[]; resultReports: ResultReport[] }): string[] {
  return [...resultReports.map(({ id }) => `report:${id}`), ...results.map(({ id }) => `lost_result:${id}`)];
}

/** Nothing that was held when the refund came has been given back while stars of it are missing. */
function checkShortfall(
  {
    generations,
    starEntries,
  }: { generations: (Generation & { starEntries: StarEntry[] })[]; starEntries: StarEntry[] },
  refund: Refund,
): void {
  for (const { id, starEntries: own, createdAt } of generations) {
    const settled = own.find(({ kind }) => kind === 'release' || kind === 'capture');
    const taken = starEntries.filter(({ kind, causeKey }) => kind === 'refund' && causeKey.endsWith(`:${id}`));
    const wasHeld = createdAt < refund.createdAt && settled !== undefined && settled.createdAt > refund.createdAt;
    if (wasHeld) expect(taken.reduce((sum, { delta }) => sum - delta, 0)).toBe(settled.delta);
  }
}

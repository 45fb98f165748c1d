import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tx } from '#api/db.ts';
import { addUpChanges } from '#api/services/ground/daily-counts.ts';
import { Prisma } from '#prisma/generated/client.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createEngineRun, createGeneration } from '#tests/support/factories.ts';
import { propertyRuns } from '#tests/support/property-runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.reset());

const DAYS = 4;
/** Beside midnight in Moscow. */
const moment = fc
  .record({ day: fc.nat(DAYS), isEarly: fc.boolean() })
  .map(({ day, isEarly }) => new Date(Date.parse('2026-03-09T21:00:00Z') + day * 86_400_000 - (isEarly ? 1 : 0)));
const place = fc.nat(20);
const kind = fc.constantFrom('video' as const, 'photosession' as const);
const provider = fc.constantFrom('yookassa', 'telegram_stars');
const step = fc.oneof(
  fc.record({ do: fc.constant('register' as const), at: moment }),
  fc.record({ do: fc.constant('order' as const), at: moment, kind, engine: fc.constantFrom('fal', 'local') }),
  fc.record({
    ...{ do: fc.constant('end' as const), place, at: moment },
    code: fc.constantFrom(null, 'cancelled', 'engine_error', 'timed_out'),
  }),
  fc.record({ do: fc.constant('returnStars' as const), place, stars: fc.nat(3) }),
  fc.record({
    ...{ do: fc.constant('submit' as const), place },
    reason: fc.constantFrom('first' as const, 'reroll' as const, 'failed_before' as const),
    costMicros: fc.nat(5),
  }),
  fc.record({
    ...{ do: fc.constant('endRun' as const), place, costMicros: fc.nat(5) },
    status: fc.constantFrom('succeeded' as const, 'failed' as const, 'uncertain' as const),
  }),
  fc.record({ do: fc.constant('forgetRun' as const), place }),
  fc.record({ do: fc.constant('invoice' as const), at: moment, provider, isTest: fc.boolean() }),
  fc.record({ do: fc.constant('pay' as const), place, at: moment }),
  fc.record({ do: fc.constant('giveUp' as const), place, isByBuyer: fc.boolean() }),
  fc.record({ do: fc.constant('refund' as const), place, isDone: fc.boolean(), at: moment }),
  fc.record({ do: fc.constant('event' as const), at: moment, name: fc.constantFrom('video_download', 'other') }),
  fc.record({ do: fc.constant('forgetEvents' as const), at: moment }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function pick<T>(rows: Promise<T[]>, index: number): Promise<T | undefined> {
  const all = await rows;
  return all[index % Math.max(1, all.length)];
}

const HANDLERS: { [Name in Step['do']]: (tx: Tx, what: Extract<Step, { do: Name }>) => Promise<unknown> } = {
  register: async (tx, { at }) => {
    const { id } = await tx.account.create({ data: { username: 'person' } });
    return tx.account.update({ where: { id }, data: { createdAt: at } });
  },
  order: async (tx, { at, kind, engine }) => {
    const { id: accountId } = await tx.account.create({ data: { username: 'person', createdAt: at } });
    const id = await createGeneration({ db: tx as never }, accountId, kind, 'generating');
    await tx.generation.update({ where: { id }, data: { createdAt: at, engine } });
    await tx.starEntry.create({
      data: { accountId, kind: 'hold', delta: -4, causeKey: `hold:${id}`, generationId: id },
    });
  },
  end: async (tx, { place, at, code }) => {
    // One that timed out may be completed late.
    const may = { OR: [{ status: 'generating' as const }, { failureCode: 'timed_out' }] };
    const one = await pick(tx.generation.findMany({ where: may, orderBy: { id: 'asc' } }), place);
    if (!one) return;
    const status = code ? 'failed' : 'completed';
    await tx.generation.update({ where: { id: one.id }, data: { status, failureCode: code, finishedAt: at } });
  },
  returnStars: async (tx, { place, stars }) => {
    const one = await pick(tx.generation.findMany({ orderBy: { id: 'asc' } }), place);
    if (!one) return;
    await tx.starEntry.create({
      data: {
        ...{ accountId: one.accountId, kind: 'correction', delta: stars - 1 || 5, causeKey: randomUUID() },
        generationId: one.id,
      },
    });
  },
  submit: async (tx, { place, reason, costMicros }) => {
    const one = await pick(tx.generation.findMany({ orderBy: { id: 'asc' } }), place);
    const position = await tx.engineRun.count();
    const priced = { costMicros, currency: costMicros > 1 ? 'USD' : null };
    if (one) await createEngineRun({ db: tx as never }, one.id, { reason, position, status: 'submitting', ...priced });
  },
  endRun: async (tx, { place, status, costMicros }) => {
    const one = await pick(tx.engineRun.findMany({ orderBy: { id: 'asc' } }), place);
    if (one) await tx.engineRun.update({ where: { id: one.id }, data: { status, costMicros } });
  },
  forgetRun: async (tx, { place }) => {
    const one = await pick(tx.engineRun.findMany({ orderBy: { id: 'asc' } }), place);
    if (one) await tx.engineRun.delete({ where: { id: one.id } });
  },
  invoice: async (tx, { at, provider, isTest }) => {
    const { id: accountId } = await tx.account.create({ data: { username: 'buyer', createdAt: at } });
    const price = { stars: 50, amountMinor: 199_000, currency: provider === 'yookassa' ? 'RUB' : 'XTR' };
    await tx.payment.create({
      data: { accountId, provider, isTest, packageName: 'Показ', createdAt: at, ...price },
    });
  },
  pay: async (tx, { place, at }) => {
    const where = { status: { not: 'succeeded' as const } };
    const one = await pick(tx.payment.findMany({ where, orderBy: { id: 'asc' } }), place);
    if (one) await tx.payment.update({ where: { id: one.id }, data: { status: 'succeeded', paidAt: at } });
  },
  giveUp: async (tx, { place, isByBuyer }) => {
    const one = await pick(tx.payment.findMany({ where: { status: 'pending' }, orderBy: { id: 'asc' } }), place);
    const data = isByBuyer ? { dismissedAt: new Date() } : { status: 'canceled' as const };
    if (one) await tx.payment.update({ where: { id: one.id }, data });
  },
  refund: async (tx, { place, isDone, at }) => {
    const one = await pick(tx.payment.findMany({ where: { status: 'succeeded' }, orderBy: { id: 'asc' } }), place);
    if (!one) return;
    const refund = { paymentId: one.id, amountMinor: 1000, stars: 3, starsTaken: 1, reason: 'Проверка' };
    const { id } = await tx.refund.create({ data: refund });
    if (isDone) await tx.refund.update({ where: { id }, data: { status: 'succeeded', finishedAt: at } });
  },
  event: (tx, { name, at }) => tx.analyticsEvent.create({ data: { name, pageLocation: '/', createdAt: at } }),
  forgetEvents: (tx, { at }) => tx.analyticsEvent.deleteMany({ where: { createdAt: { lt: at } } }),
};

/** What the figures were before they were kept: counted from all rows. */
const RECOUNT = Prisma.sql`
  select metric, (at at time zone 'Europe/Moscow')::date::text as day, about, sum(amount)::int as amount from (
    select 'registrations' as metric, created_at as at, '' as about, 1 as amount from accounts
    union all
    select 'videos', finished_at, '', 1 from generations where kind = 'video' and status = 'completed'
    union all
    select status::text, created_at, engine || '/' || kind || case status when 'failed' then '/' || failure_code else '' end, 1
    from generations where status in ('completed', 'failed')
    union all
    select 'waited', created_at, engine || '/' || kind || '/' || round(extract(epoch from finished_at - created_at)), 1
    from generations where status = 'completed'
    union all
    select 'waitedInMonth', date_trunc('month', created_at at time zone 'Europe/Moscow') at time zone 'Europe/Moscow',
      engine || '/' || kind || '/' || round(extract(epoch from finished_at - created_at)), 1
    from generations where status = 'completed'
    union all
    select 'starsSpent', g.created_at, engine || '/' || g.kind, -delta
    from star_entries join generations g on g.id = generation_id where status in ('completed', 'failed')
    union all
    select metric, g.created_at, r.engine || '/' || r.kind || '/' || coalesce(currency, ''), amount
    from engine_runs r join generations g on g.id = r.generation_id, lateral (values
      ('jobs', 1),
      ('jobMicros', cost_micros),
      ('uncertainMicros', case when r.status = 'uncertain' then cost_micros else 0 end),
      ('rerollMicros', case when r.status <> 'uncertain' and reason = 'reroll' then cost_micros else 0 end),
      ('resubmitMicros', case when r.status <> 'uncertain' and reason = 'failed_before' then cost_micros else 0 end)
    ) as parts (metric, amount)
    union all
    select 'pendingPayments', created_at, provider || '/' || currency || case when is_test then '/test' else '' end, 1
    from payments where status = 'pending' and dismissed_at is null
    union all
    select metric, paid_at, provider || '/' || currency || case when is_test then '/test' else '' end, amount
    from payments, lateral (values ('payments', 1), ('paidStars', stars), ('paidMinor', amount_minor)) as p (metric, amount)
    where status = 'succeeded'
    union all
    select metric, finished_at, provider || '/' || currency || case when is_test then '/test' else '' end, amount
    from refunds r join payments p on p.id = payment_id,
      lateral (values ('refunds', 1), ('refundedStars', r.stars), ('refundedMinor', r.amount_minor)) as parts (metric, amount)
    where r.status = 'succeeded'
    union all
    select 'events', created_at, name, 1 from analytics_events
  ) as counted
  group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`;
const KEPT = Prisma.sql`
  select metric, day::text as day, about, sum(amount)::int as amount
  from (select metric, day, about, amount from daily_counts
        union all select metric, day, about, amount from count_changes) as kept
  group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`;

async function expectKeptToBeTrue(): Promise<void> {
  expect(await database.db.$queryRaw(KEPT)).toEqual(await database.db.$queryRaw(RECOUNT));
}

test('whatever happens, is undone or is added up, the kept counts are those of all rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step, isUndone: fc.boolean(), isAddedUp: fc.boolean() }), { maxLength: 40 }),
      async (steps) => {
        await database.reset();
        for (const { step, isUndone, isAddedUp } of steps) {
          const work = database.db.$transaction(async (tx) => {
            await HANDLERS[step.do](tx, step as never);
            if (isUndone) throw new Error('undone');
          });
          await (isUndone ? expect(work).rejects.toThrow('undone') : work);
          if (isAddedUp) await addUpChanges(database);
        }
        await expectKeptToBeTrue();
      },
    ),
    { numRuns: propertyRuns(15) },
  );
});

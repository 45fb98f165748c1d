import type { WithDb } from '#api/services/app-context.ts';
import { LOSS } from '#api/services/stars/returned-stars.ts';
import type { StarEntryKind } from '#prisma/generated/enums.ts';
import { findDiscrepancies } from './book-checks.ts';
import { COST_SUMS, type CostSums } from './engine-analytics.ts';

/**
 * The books, computed from the database. Money is in minor units (hundredths of its currency), stars are whole. What
 * the engines cost is in millionths.
 */
export interface Books {
  /** Successful payments and refunds, separately for each currency and for tests, in which no money moved. */
  money: {
    currency: string;
    isTest: boolean;
    payments: number;
    inMinor: number;
    refunds: number;
    outMinor: number;
  }[];
  stars: {
    sold: number;
    /** Those of them that were sold in test payments. */
    soldInTests: number;
    /** Bonuses, what came back for lost files, and corrections by administrators. */
    signupBonuses: number;
    interviewBonuses: number;
    lostFiles: number;
    corrections: number;
    /** For finished generations. Stars of running ones are held. */
    spent: number;
    held: number;
    releasedForFailures: number;
    /** Taken off the balance because their money was refunded. */
    returned: number;
    outstanding: number;
  };
  /** What the engines have cost so far, by their currency. Engines that cost nothing are left out. */
  engines: (CostSums & {
    engine: string;
    currency: string;
    /** Orders of the house itself, which show whether an engine works. */
    probes: number;
  })[];
  discrepancies: string[];
}

/** By the kind of their entries. What came back for lost files is a correction that nobody made by hand. */
type StarSums = Partial<Record<StarEntryKind | 'lost_file', number>>;

/** Computes the books from the database and checks that each sum matches the ledger. */
export async function readBooks(app: WithDb): Promise<Books> {
  // One transaction, so that a purchase in between does not look like a discrepancy.
  return app.db.$transaction(
    async (tx) => {
      const money = await tx.$queryRaw<Books['money']>`
        select p.currency, p.is_test as "isTest", count(*)::int as payments, sum(p.amount_minor)::float8 as "inMinor",
               coalesce(sum(r.refunds), 0)::int as refunds, coalesce(sum(r.minor), 0)::float8 as "outMinor"
        from payments p
        left join (select payment_id, count(*) as refunds, sum(amount_minor) as minor
                   from refunds where status = 'succeeded' group by payment_id) r on r.payment_id = p.id
        where p.status = 'succeeded' group by p.currency, p.is_test order by p.currency, p.is_test`;
      // Only the cause tells what came back for lost files.
      const kinds = await tx.$queryRaw<{ kind: StarEntryKind | 'lost_file'; sum: number }[]>`
        select case when starts_with(cause_key, ${LOSS}) then 'lost_file' else kind::text end as kind,
               sum(delta)::float8 as sum
        from star_entries group by 1`;
      const sums: StarSums = Object.fromEntries(kinds.map(({ kind, sum }) => [kind, sum]));
      const [{ soldInTests, held, outstanding }] = await tx.$queryRaw<
        [Pick<Books['stars'], 'soldInTests' | 'held' | 'outstanding'>]
      >`
        select
          (select coalesce(sum(e.delta), 0)::float8 from star_entries e join payments p on p.id = e.payment_id
           where e.kind = 'purchase' and p.is_test) as "soldInTests",
          (select coalesce(-sum(e.delta), 0)::float8 from star_entries e join generations g on g.id = e.generation_id
           where g.status not in ('completed', 'failed')) as held,
          (select coalesce(sum(star_balance), 0)::float8 from accounts) as outstanding`;
      const engines = await tx.$queryRaw<Books['engines']>`
        select engine, currency, ${COST_SUMS},
          coalesce(sum(cost_micros) filter (where status <> 'uncertain' and generation_id is null), 0)::float8 as probes
        from engine_runs as runs where currency is not null
        group by engine, currency order by engine, currency`;
      const releasedForFailures = (sums.release ?? 0) + (sums.capture ?? 0);
      const stars = {
        sold: sums.purchase ?? 0,
        soldInTests,
        signupBonuses: sums.signup_bonus ?? 0,
        interviewBonuses: sums.interview_bonus ?? 0,
        lostFiles: sums.lost_file ?? 0,
        corrections: sums.correction ?? 0,
        spent: -(sums.hold ?? 0) - releasedForFailures - held,
        held,
        releasedForFailures,
        returned: -(sums.refund ?? 0),
        outstanding,
      };
      const given = stars.signupBonuses + stars.interviewBonuses + stars.lostFiles + stars.corrections;
      const expected = stars.sold + given - stars.spent - stars.held - stars.returned;
      const discrepancies = await findDiscrepancies(tx);
      if (expected !== stars.outstanding) {
        discrepancies.push(`на балансах ${stars.outstanding} зв., а по движениям должно быть ${expected}`);
      }
      return { money, stars, engines, discrepancies };
    },
    { isolationLevel: 'RepeatableRead', timeout: 120_000 },
  );
}

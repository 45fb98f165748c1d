import type { Tx } from '#api/database/database.ts';

const NAMED = 10;

interface Check {
  mistake: string;
  /** Returns one text column `id`. */
  sql: string;
}

/** Each check compares rows of one table with rows of others that must match. */
const CHECKS: Check[] = [
  {
    mistake: 'баланс не равен сумме движений, аккаунты',
    sql: `select a.id::text as id from accounts a
          left join star_entries e on e.account_id = a.id
          group by a.id having a.star_balance <> coalesce(sum(e.delta), 0)`,
  },
  {
    mistake: 'при объединении аккаунтов ушло не столько, сколько пришло, аккаунты',
    sql: `select split_part(cause_key, ':', 2) as id from star_entries where kind = 'transfer'
          group by 1 having sum(delta) <> 0`,
  },
  {
    mistake: 'оплаченный платёж без своего зачисления, платежи',
    sql: `select p.id::text as id from payments p
          left join star_entries e on e.payment_id = p.id and e.kind = 'purchase'
          where p.status = 'succeeded'
          group by p.id having count(e.id) <> 1 or sum(e.delta) <> p.stars or min(e.account_id) <> p.account_id and not exists (
            select from accounts a where a.id = min(e.account_id) and a.merged_into_id = p.account_id)`,
  },
  {
    mistake: 'зачисление без оплаченного платежа, движения',
    sql: `select e.id::text as id from star_entries e
          left join payments p on p.id = e.payment_id and p.status = 'succeeded'
          where e.kind = 'purchase' and p.id is null`,
  },
  {
    mistake: 'возвращённая сумма платежа не равна сумме возвратов, платежи',
    sql: `select p.id::text as id from payments p
          left join refunds r on r.payment_id = p.id and r.status = 'succeeded'
          group by p.id having p.refunded_minor <> coalesce(sum(r.amount_minor), 0)`,
  },
  {
    mistake: 'деньги возвращены целиком, а звёзды нет, платежи',
    sql: `select p.id::text as id from payments p
          left join refunds r on r.payment_id = p.id and r.status <> 'canceled'
          where p.refunded_minor = p.amount_minor
          group by p.id having coalesce(sum(r.stars), 0) <> p.stars`,
  },
  {
    mistake: 'возврат по неоплаченному платежу, возвраты',
    sql: `select r.id::text as id from refunds r join payments p on p.id = r.payment_id
          where r.status = 'succeeded' and p.status <> 'succeeded'`,
  },
  {
    mistake: 'снятые при возврате звёзды не сходятся с движениями, возвраты',
    sql: `select r.id::text as id from refunds r
          left join star_entries e on e.kind = 'refund' and split_part(e.cause_key, ':', 2) = r.id::text
          group by r.id
          having coalesce(-sum(e.delta), 0) <> case r.status when 'canceled' then 0 else r.stars_taken end`,
  },
  {
    mistake: 'движение возврата без возврата, движения',
    sql: `select e.id::text as id from star_entries e
          left join refunds r on split_part(e.cause_key, ':', 2) = r.id::text
          where e.kind = 'refund' and r.id is null`,
  },
  {
    mistake: 'цена генерации не равна удержанию, генерации',
    sql: `select g.id::text as id from generations g
          left join star_entries e on e.generation_id = g.id and e.kind = 'hold'
          group by g.id having coalesce(-sum(e.delta), 0) <> g.stars`,
  },
  {
    mistake: 'удержание не закрыто или закрыто раньше времени, генерации',
    sql: `select g.id::text as id from generations g
          left join star_entries e on e.generation_id = g.id and e.kind in ('capture', 'release')
          group by g.id having count(e.id) <> case when g.stars > 0 and g.status in ('completed', 'failed') then 1 else 0 end`,
  },
  {
    mistake: 'за генерацию вернулось больше, чем удержано, генерации',
    sql: `select g.id::text as id from generations g join star_entries e on e.generation_id = g.id
          group by g.id having sum(e.delta) > 0`,
  },
  {
    mistake: 'возврат звёзд по жалобе без своего движения, жалобы',
    sql: `select r.id::text as id from result_reports r
          join generations g on g.id = r.generation_id
          left join star_entries e
            on e.cause_key = 'report:' || r.id and e.generation_id = coalesce(g.reroll_of_id, g.id)
          where r.decision = 'stars_returned' and e.id is null`,
  },
  {
    mistake: 'движение по жалобе без решения о возврате, движения',
    sql: `select e.id::text as id from star_entries e
          left join result_reports r on e.cause_key = 'report:' || r.id and r.decision = 'stars_returned'
          where e.cause_key like 'report:%' and r.id is null`,
  },
];

/** Every discrepancy in words, with the ids of the first rows. Empty when there is none. */
export async function findDiscrepancies(tx: Tx): Promise<string[]> {
  const found: string[] = [];
  for (const { mistake, sql } of CHECKS) {
    const rows = await tx.$queryRawUnsafe<{ id: string }[]>(sql);
    if (rows.length === 0) continue;
    const named = rows.slice(0, NAMED).map(({ id }) => id);
    found.push(`${mistake} (${rows.length}): ${named.join(', ')}${rows.length > NAMED ? ' …' : ''}`);
  }
  return found;
}

import type { AppContext } from '#api/services/app-context.ts';

/** Accounts that are noted in one transaction, in a tenth of a second. A change of one of their names waits meanwhile. */
const NOTED_AT_ONCE = 1_000;

/**
 * Notes the names of accounts from before the triggers that note them, so that the search finds them. Does nothing once
 * all are noted. Each part is one transaction, and the next run goes on where this one ends. Returns how many accounts
 * it has looked at.
 */
export async function noteMissingNames({ db }: Pick<AppContext, 'db'>): Promise<number> {
  for (let seen = 0; ; ) {
    // Accounts are locked in the order of their ids and before their names, as everybody does it who changes several.
    // What a trigger has noted meanwhile is newer and stays.
    const [part] = await db.$queryRaw<{ size: number }[]>`
      with place as materialized (select next_id from missing_names for update),
        part as materialized (
          select id from accounts where id >= (select next_id from place) order by id limit ${NOTED_AT_ONCE} for key share
        ),
        noted as (insert into account_names select id, names_of(id) from part on conflict do nothing),
        moved as (update missing_names set next_id = (select max(id) + 1 from part) where exists (select from part)),
        ended as (delete from missing_names where not exists (select from part))
      select count(*)::int as size from part`;
    if (!part?.size) return seen;
    seen += part.size;
  }
}

import type { Tx } from '#api/database/database.ts';

/**
 * Opens the lines of an account for the tools of which a running batch has a row that waits, and closes the others. Call
 * it in each transaction that changes a batch or one of its rows, with the account locked.
 */
export async function refreshLines(tx: Tx, accountId: number): Promise<void> {
  await tx.$executeRaw`
    insert into batch_lines (account_id, kind, is_open, served_at)
    select ${accountId}, kind, true, (
      select coalesce(max(served_at), to_timestamp(0)) from batch_lines where account_id = ${accountId}
    ) from (
      select distinct kind from batches
      where account_id = ${accountId} and status = 'running'
        and exists (select from batch_rows where batch_id = batches.id and stage = 'waiting')
    ) as wanted
    on conflict (account_id, kind) do update set is_open = true`;
  await tx.$executeRaw`
    update batch_lines as line set is_open = false
    where account_id = ${accountId} and is_open and not exists (
      select from batches
      where account_id = ${accountId} and kind = line.kind and status = 'running'
        and exists (select from batch_rows where batch_id = batches.id and stage = 'waiting')
    )`;
}

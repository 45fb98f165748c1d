import type { Tx } from '#api/database/database.ts';

/** A copy of all rows may take hours. Prisma ends every transaction that has no such limit after seconds. */
export const COPY_TIMEOUT_MS = 24 * 60 * 60_000;

export interface Table {
  name: string;
  columns: { name: string; type: string }[];
}

/**
 * Every table of ours that a copy has too, with its columns. Those of the queue are in a schema of their own.
 */
export async function listTables(tx: Pick<Tx, '$queryRaw'>): Promise<Table[]> {
  const rows = await tx.$queryRaw<{ table: string; name: string; type: string }[]>`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> '_prisma_migrations' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`;
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({ name, columns }));
}

/** Takes the limits off the transaction, and fixes how values are written as text. */
export async function prepareToCopy(tx: Tx): Promise<void> {
  await tx.$queryRaw`
    select set_config(name, value, true) from (values
      ('statement_timeout', '0'), ('lock_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
      ('TimeZone', 'UTC'), ('DateStyle', 'ISO, MDY'), ('IntervalStyle', 'postgres'), ('bytea_output', 'hex'),
      ('extra_float_digits', '1')) as settings (name, value)`;
}

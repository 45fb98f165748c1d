import type { Db, Tx } from '#api/database/database.ts';
import { selectUnfinishedJobs } from '#api/queue/pg-boss-internals.ts';
import { QUEUE_SCHEMA } from '#api/queue/queue.ts';
import { type Manifest, placesIn, writeLines } from './backup-folder.ts';
import { COPY_TIMEOUT_MS, listTables, prepareToCopy } from './tables.ts';

/** Rows that are read at a time. The largest rows have pictures of some hundred kilobytes. */
const ROWS_AT_ONCE = 200;

/** The keys of all files that rows name. Marked thumbnails are made again when they are missing. */
const SELECT_FILE_KEYS = `
  select distinct key from (
    select unnest(array[master_key, preview_key, thumbnail_key, mask_key]) as key from photos
    union all
    select unnest(array[original_key, watermarked_key, poster_key, watermarked_poster_key, thumbnail_key]) from results
  ) named where key is not null`;

/** Tables of which only some rows are kept. The file of a ready pack stays out, because it can be made again. */
const KEPT_ROWS: Readonly<Record<string, string>> = { packs: 'storage_key is null' };

/**
 * Writes every row of every table (see KEPT_ROWS), the unfinished jobs and the keys of the files that the rows name, all
 * of one moment. A row is a JSON array of its values in PostgreSQL's own text form, which loses nothing. The embedded
 * database has one connection, so everybody waits until the rows are written.
 */
export async function dumpRows(
  db: Db,
  folder: string,
  keyList: string,
  report: (line: string) => void,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences' | 'jobs'>> {
  const places = placesIn(folder);
  const dump = async (tx: Tx) => {
    await prepareToCopy(tx);
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of await listTables(tx)) {
      const names = columns.map((column) => column.name);
      const values = names.map((column) => `"${column}"::text`).join(', ');
      const select = `select json_build_array(${values})::text as line from "${name}" where ${KEPT_ROWS[name] ?? true}`;
      const rows = await writeLines(places.rows(name), readRows(tx, select));
      tables.push({ name, columns: names, rows });
      if (rows.lines > 0) report(`${name}: ${rows.lines} rows`);
    }
    const jobs = await writeLines(places.jobs, readUnfinishedJobs(tx));
    await writeLines(keyList, readRows(tx, `select key as line from (${SELECT_FILE_KEYS}) keys`));
    // Sequences have no snapshot. Read last, they are at least as far as the rows.
    const sequences = await tx.$queryRaw<Manifest['sequences']>`
      select sequencename as name, last_value::text as "lastValue" from pg_sequences where schemaname = 'public'`;
    return { migrations: await listAppliedMigrations(tx), tables, sequences, jobs };
  };
  return db.$transaction(dump, { isolationLevel: 'RepeatableRead', timeout: COPY_TIMEOUT_MS });
}

/** The migrations that were applied, oldest first. */
function listAppliedMigrations(tx: Tx): Promise<Manifest['migrations']> {
  return tx.$queryRaw`
    select migration_name as name, checksum from _prisma_migrations
    where finished_at is not null and rolled_back_at is null order by migration_name`;
}

async function* readRows(tx: Tx, select: string): AsyncGenerator<string> {
  await tx.$executeRawUnsafe(`declare copied no scroll cursor for ${select}`);
  for (;;) {
    const rows = await tx.$queryRawUnsafe<{ line: string }[]>(`fetch ${ROWS_AT_ONCE} from copied`);
    yield* rows.map(({ line }) => line);
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await tx.$executeRawUnsafe('close copied');
}

/** None when no process has opened the queue yet. */
async function* readUnfinishedJobs(tx: Tx): AsyncGenerator<string> {
  const [queue] = await tx.$queryRaw<{ exists: boolean }[]>`
    select to_regclass(${`${QUEUE_SCHEMA}.job`}) is not null as exists`;
  if (queue?.exists) yield* readRows(tx, selectUnfinishedJobs(QUEUE_SCHEMA));
}

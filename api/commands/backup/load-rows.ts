import { z } from 'zod';
import type { Db, Tx } from '#api/database/database.ts';
import { isSentJob } from '#api/queue/job-definitions.ts';
import type { Queue } from '#api/queue/queue.ts';
import { type Manifest, placesIn, readLines } from './backup-folder.ts';
import { COPY_TIMEOUT_MS, listTables, prepareToCopy, type Table } from './tables.ts';

/** Text that is inserted by one statement. One larger row goes alone. */
const BATCH_CHARACTERS = 2_000_000;

const job = z.object({
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  priority: z.int(),
  startAfter: z.coerce.date(),
});

/**
 * Loads all rows and sends the jobs, in one transaction: either everything is there, or the database is empty as
 * before. Foreign keys are taken off meanwhile, because rows of one table may name each other; putting them back checks
 * every row. Returns the number of sent jobs. Throws an Error for the operator when the database is not empty.
 */
export async function loadRows(
  db: Db,
  queue: Queue,
  folder: string,
  backup: Manifest,
  report: (line: string) => void,
): Promise<number> {
  const load = async (tx: Tx) => {
    await prepareToCopy(tx);
    const tables = await listTables(tx);
    await tx.$executeRawUnsafe(`lock table ${tables.map(({ name }) => `"${name}"`).join(', ')}`);
    await assertEmpty(tx);
    const foreignKeys = await dropForeignKeys(tx);
    await tx.$executeRaw`delete from star_packages`;
    for (const { name, columns, rows } of backup.tables) {
      const loaded = await loadTable(
        tx,
        findTable(tables, name),
        columns,
        readLines(placesIn(folder).rows(name), rows),
      );
      if (loaded !== rows.lines) throw new Error(`${name}: ${rows.lines} rows in the backup, ${loaded} loaded`);
      if (loaded > 0) report(`${name}: ${loaded} rows`);
    }
    for (const { name, lastValue } of backup.sequences) {
      if (lastValue !== null) await tx.$queryRaw`select setval(quote_ident(${name})::regclass, ${lastValue}::bigint)`;
    }
    for (const { table, name, definition } of foreignKeys) {
      await tx.$executeRawUnsafe(`alter table ${table} add constraint ${name} ${definition}`);
    }
    return sendJobs(tx, queue, readLines(placesIn(folder).jobs, backup.jobs));
  };
  return db.$transaction(load, { timeout: COPY_TIMEOUT_MS });
}

/** Throws when any table holds more than what the migrations put there. */
export async function assertEmpty(tx: Pick<Tx, '$queryRaw' | '$queryRawUnsafe'>): Promise<void> {
  for (const { name } of await listTables(tx)) {
    const own = name === 'star_packages' ? 'where not is_sample' : '';
    const [row] = await tx.$queryRawUnsafe<{ filled: boolean }[]>(
      `select exists (select from "${name}" ${own}) as filled`,
    );
    if (row?.filled) {
      throw new Error(`The target is not empty: its table ${name} has rows. A restore fills only an empty database.`);
    }
  }
}

function findTable(tables: Table[], name: string): Table {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`The backup has a table ${name} that its own migrations do not make`);
  return table;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function dropForeignKeys(tx: Tx): Promise<ForeignKey[]> {
  const found = await tx.$queryRaw<ForeignKey[]>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
  for (const { table, name } of found) await tx.$executeRawUnsafe(`alter table ${table} drop constraint ${name}`);
  return found;
}

async function loadTable(
  tx: Tx,
  { name, columns }: Table,
  given: string[],
  lines: AsyncIterable<string>,
): Promise<number> {
  const types = new Map(columns.map((column) => [column.name, column.type]));
  const values = given.map((column, index) => `(line->>${index})::${types.get(column)}`).join(', ');
  const into = given.map((column) => `"${column}"`).join(', ');
  const insert = `insert into "${name}" (${into}) select ${values} from jsonb_array_elements($1::jsonb) as line`;
  let loaded = 0;
  let batch: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) loaded += await tx.$executeRawUnsafe(insert, `[${batch.join(',')}]`);
    batch = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (characters + line.length > BATCH_CHARACTERS) await flush();
    batch.push(line);
    characters += line.length;
  }
  await flush();
  return loaded;
}

/** Sends the jobs again. They may run twice, as after a crash. Those of a schedule come by themselves. */
async function sendJobs(tx: Tx, queue: Queue, lines: AsyncIterable<string>): Promise<number> {
  let sent = 0;
  for await (const line of lines) {
    const { name, data, priority, startAfter } = job.parse(JSON.parse(line));
    if (!isSentJob(name)) continue;
    const delaySeconds = Math.max(0, Math.ceil((startAfter.getTime() - Date.now()) / 1000));
    // Its payload is parsed by the worker that runs it.
    await queue.send(tx, name, data as never, { priority, delaySeconds });
    sent++;
  }
  return sent;
}

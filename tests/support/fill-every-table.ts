import type pg from 'pg';
import { listTables, type Table } from '#api/commands/backup/tables.ts';
import type { Db } from '#api/database/database.ts';

const UUID = '018f5b6a-0000-7000-8000-000000000007';
/** Every row has the same ids, so that all rows belong together whatever refers to what. */
const NASTY_TEXT = `Ё "кавычки" \\N \\x00 \t tab, line\n\u2028 separator, 'quote', {a,b}, 👗`;
const VALUES: Record<string, string> = {
  uuid: UUID,
  integer: '7',
  bigint: '9007199254740993',
  text: NASTY_TEXT,
  boolean: 'true',
  'double precision': '0.1',
  jsonb: 'null',
  bytea: '\\x00ff5c0a',
  'bytea[]': '{"\\\\x00ff5c0a"}',
  'integer[]': '{7,8}',
  'uuid[]': `{${UUID}}`,
};
const WHEN = '2026-01-31 23:59:59.123+03';
/** What the checks of the tables demand. */
const DEMANDED: Record<string, Record<string, string | null>> = {
  // The first state is `open`, which has no reason of a pause.
  batches: { pause_code: null },
  // The first state is `failed`, which has no file.
  packs: { storage_key: null, bytes: null },
  // A notice is about a generation or about a batch.
  notices: { batch_id: null, occasion: null },
  link_tokens: { telegram_user_id: null },
  payments: { currency: 'RUB' },
  // A photo has either files or a result.
  photos: { result_id: null },
};

/** Puts one row into every table, with a value in every column. Replaces the packages of the migrations. */
export async function fillEveryTable(db: Db, pool: pg.Pool): Promise<void> {
  const tables = await listTables(db);
  const { rows } = await pool.query<{ type: string; label: string }>(
    'select enumtypid::regtype::text as type, min(enumlabel) as label from pg_enum group by 1',
  );
  const labels = new Map(rows.map(({ type, label }) => [type, label]));
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Rows come in no order, so that their references cannot be checked one by one.
    await client.query('set local session_replication_role = replica');
    await client.query('delete from star_packages');
    for (const table of tables) {
      const names = table.columns.map(({ name }) => `"${name}"`).join(', ');
      const places = table.columns.map((_, index) => `$${index + 1}`).join(', ');
      await client.query(`insert into "${table.name}" (${names}) values (${places})`, chooseValues(table, labels));
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

function chooseValues({ name: table, columns }: Table, labels: ReadonlyMap<string, string>): (string | null)[] {
  return columns.map(({ name, type }) => {
    const demanded = DEMANDED[table]?.[name];
    if (demanded !== undefined) return demanded;
    if (['photos', 'results'].includes(table) && name.endsWith('_key')) return `${table}/7/${UUID}/${name}`;
    const value = type.startsWith('timestamp') ? WHEN : (VALUES[type] ?? labels.get(type));
    if (value !== undefined) return value;
    const label = labels.get(type.replace('[]', ''));
    if (label === undefined) throw new Error(`No value for ${table}.${name}, which is a ${type}`);
    return `{${label}}`;
  });
}

/** A fingerprint of all rows by table, and of the last values of the sequences. */
export async function fingerprintRows(db: Db, pool: pg.Pool): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const { name } of await listTables(db)) {
    const { rows } = await pool.query(
      `select count(*), md5(string_agg(t::text, '|' order by t::text)) from "${name}" t`,
    );
    prints[name] = JSON.stringify(rows[0]);
  }
  const { rows } = await pool.query(
    `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
  );
  return { ...prints, sequences: JSON.stringify(rows) };
}

import type pg from 'pg';

/**
 * Runs SQL that each connection plans once, for the statements that are sent all the time. Prisma has its own ones planned
 * each time, which takes longer than to run them.
 */
export type PreparedStatements = <Row extends object>(statement: Statement) => Promise<Row[]>;

/** SQL and the values of its parameters `$1`, `$2` … Prisma.sql makes one. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** Each connection keeps the plans of all named statements. A statement past this many is planned each time. */
const NAMED_MAX = 200;

/** Names are only known to a connection, so each process may choose its own. */
const names = new Map<string, string>();

export function createPreparedStatements(pool: Pick<pg.Pool, 'query'>): PreparedStatements {
  return async <Row extends object>({ text, values }: Statement) => {
    const { rows } = await pool.query<Row>({ name: nameOf(text), text, values });
    return rows;
  };
}

/** A statement with an empty name is forgotten at once. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMED_MAX) return known ?? '';
  const name = `podium_${names.size + 1}`;
  names.set(text, name);
  return name;
}

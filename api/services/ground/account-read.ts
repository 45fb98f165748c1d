import type { AppContext } from '#api/services/app-context.ts';
import { Prisma } from '#prisma/generated/client.ts';

/**
 * What a request needs of its account, beside the account itself: one SQL expression, so that the statement which finds
 * the session brings it along.
 */
export interface AccountRead<T> {
  /** JSON or null. `account` is the account's row. */
  sql: Prisma.Sql;
  parse(json: unknown): T;
}

/** Reads it for an account that is known already, for doors without a session. */
export async function readOfAccount<T>(
  app: Pick<AppContext, 'query'>,
  accountId: number,
  { sql, parse }: AccountRead<T>,
): Promise<T> {
  const [row] = await app.query<{ found: unknown }>(
    Prisma.sql`select (${sql}) as found from (select ${accountId}::int as id) as account`,
  );
  return parse(row?.found ?? null);
}

/** The columns of a table, or of its alias, under the names of their fields. */
export function selectFields(table: string, fields: readonly string[]): Prisma.Sql {
  return Prisma.raw(
    fields
      .map((field) => `${table}.${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`)
      .join(', '),
  );
}

/** JSON has no dates. The fields with these names are turned back into them. */
export function reviveDates<Row extends object>(row: Row, ...names: readonly (keyof Row)[]): Row {
  for (const name of names) {
    const text = row[name];
    if (typeof text === 'string') row[name] = new Date(text) as Row[keyof Row];
  }
  return row;
}

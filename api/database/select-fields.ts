import { Prisma } from '#prisma/generated/client.ts';

/** The columns of a table, or of its alias, under the names of their fields. */
export function selectFields(table: string, fields: readonly string[]): Prisma.Sql {
  return Prisma.raw(
    fields
      .map((field) => `${table}.${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`)
      .join(', '),
  );
}

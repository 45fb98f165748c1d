const PAGE_SIZE = 500;

/** Arguments for one page of a query: rows in the order of their ids, after the last id of the page before. */
export interface PageQuery<Id> {
  take: number;
  where: { id?: { gt: Id } };
  orderBy: { id: 'asc' };
}

/** Iterates over a table with UUIDs page by page, so that only one page is in memory. */
export function readPages<T extends { id: string }>(
  read: (page: PageQuery<string>) => Promise<T[]>,
): AsyncGenerator<T> {
  return walkPages<string, T>(read);
}

/** Iterates over a table with numeric ids. */
export function readNumberedPages<T extends { id: bigint }>(
  read: (page: PageQuery<bigint>) => Promise<T[]>,
): AsyncGenerator<T> {
  return walkPages<bigint, T>(read);
}

async function* walkPages<Id, T extends { id: Id }>(read: (page: PageQuery<Id>) => Promise<T[]>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const rows = await read({ take: PAGE_SIZE, where: last ? { id: { gt: last.id } } : {}, orderBy: { id: 'asc' } });
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE_SIZE) return;
  }
}

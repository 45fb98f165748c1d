import pg from 'pg';

/**
 * The statements that the database gets while the work runs, in the order of sending. The queue's own and those that keep a
 * connection ready (SET, LISTEN) are left out.
 */
export async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function query(this: pg.Client, ...parameters: unknown[]) {
    const [asked] = parameters as [string | { text?: string }];
    const text = typeof asked === 'string' ? asked : (asked.text ?? '');
    statements.push(text.replaceAll(/\s+/g, ' ').trim());
    return original.apply(this, parameters as Parameters<typeof original>);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return statements.filter((text) => !isUpkeep(text));
}

/** The queue asks by itself. Its jobs are also written as a part of our own statements. */
function isUpkeep(text: string): boolean {
  return /^(set|listen|unlisten) /i.test(text) || (/pgboss/.test(text) && !/generations/.test(text));
}

import { pino } from 'pino';
import { type DatabaseHandle, openDatabase } from '#api/database/database.ts';
import { startSession } from '#api/services/accounts/sessions.ts';

/** Opens the database of a server while it does not run, or one on PostgreSQL at any time, and closes it after `fill`. */
export async function fillDatabase<T>(
  place: { dataDir: string; databaseUrl: string | undefined },
  fill: (database: DatabaseHandle) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(place, pino({ level: 'silent' }));
  try {
    return await fill(database);
  } finally {
    await database.close();
  }
}

/** The token of a new session of an account. */
export async function createToken({ db }: Pick<DatabaseHandle, 'db'>, accountId: number): Promise<string> {
  const { token } = await startSession(db, accountId, { userAgent: 'bench', sessionToken: null });
  return token;
}

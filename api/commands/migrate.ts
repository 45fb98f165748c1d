// `npm run db:migrate`: applies the migrations that the database has not seen. A start does it too.
import { pino } from 'pino';
import { readConfig } from '#api/config.ts';
import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

try {
  prepare({ pwa: false });
  const { openDatabase } = await import('#api/db.ts');
  const database = await openDatabase(readConfig(), pino());
  await database.close();
  console.log('The database is up to date.');
} catch (error) {
  reportStartError(error);
}

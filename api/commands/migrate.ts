// `npm run db:migrate`: applies new migrations. A start does that, too, and is what creates an embedded database.
import { pino } from 'pino';
import { readCommandConfig } from '#api/config/config.ts';
import { beginCommand } from './begin-command.ts';
import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

try {
  prepare({ pwa: false });
  const { migrateExistingDatabase } = await import('#api/database/database.ts');
  const config = readCommandConfig();
  beginCommand(config);
  await migrateExistingDatabase(config, pino());
  console.log('The database is up to date.');
} catch (error) {
  reportStartError(error);
}

import { retry } from '#api/platform/retry.ts';
import { isDatabaseFault } from './faults.ts';

const PAUSES = { firstMs: 250, longestMs: 8_000 };
/** Together with the pauses between them, 16 seconds. */
const TRIES = 7;

/**
 * Repeats a write that says what has become of an update, a message or a paid order, while the database cannot serve.
 * Without it the next attempt would take something for done, or for failed, that is not. Throws after a longer outage.
 */
export async function retryDuringDatabaseFaults(write: () => Promise<void>): Promise<void> {
  return retry(write, { tries: TRIES, ...PAUSES, isWorthRetrying: isDatabaseFault });
}

import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseFault } from '#api/database-faults.ts';

const FIRST_PAUSE_MS = 250;
/** With the pauses before it, 16 seconds. */
const LONGEST_PAUSE_MS = 8_000;

/**
 * Repeats a write that says what has become of an update, a message or a paid order, while the database cannot serve.
 * Without it the next attempt would take something for done, or for failed, that is not. Throws after a longer outage.
 */
export async function outlastDatabase(write: () => Promise<void>): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseFault(error) || pauseMs > LONGEST_PAUSE_MS) throw error;
      await wait(pauseMs);
    }
  }
}

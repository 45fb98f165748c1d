import { isStorageFailure } from './adapters/storage/object-storage.ts';
import { isDatabaseFault } from './database-faults.ts';

const MINUTE_MS = 60_000;
/** Answers that say that something is out of order, and not that a request is wrong. */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  'unavailable',
  'storage_unavailable',
  'storage_full',
  'mail_not_sent',
]);

interface Repeated {
  count: number;
  /** Writes the newest of the lines that were left out. */
  write: (count: number) => void;
}

/** Ids that every request has. A line with another one, such as that of a payment or a job, is the only one about it. */
const IDS_OF_REQUESTS = new Set(['requestId', 'accountId']);

/**
 * Lets a line about an outage pass once a minute. During an outage every request would say the same. A minute later the
 * newest line that was left out follows with their number, so an end is seen as well. Lines about an order, a payment, a
 * job or something that people did are all written.
 */
export class OutageLines {
  readonly #repeated = new Map<string, Repeated>();

  /** Calls `write` now, or at the end of the minute with the number of lines that it stands for. */
  pass(fields: unknown, message: unknown, write: (count: number) => void): void {
    if (!isOutage(fields)) {
      write(1);
      return;
    }
    const key = String(message);
    const known = this.#repeated.get(key);
    if (known) {
      known.count += 1;
      known.write = write;
      return;
    }
    write(1);
    this.#repeated.set(key, { count: 0, write });
    this.#endMinuteLater(key);
  }

  #endMinuteLater(key: string): void {
    setTimeout(() => {
      const repeated = this.#repeated.get(key);
      if (!repeated || repeated.count === 0) return void this.#repeated.delete(key);
      repeated.write(repeated.count);
      repeated.count = 0;
      this.#endMinuteLater(key);
    }, MINUTE_MS).unref();
  }
}

function isOutage(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false;
  const isAboutOne = Object.keys(fields).some((key) => key.endsWith('Id') && !IDS_OF_REQUESTS.has(key));
  if (isAboutOne || 'action' in fields) return false;
  if ('err' in fields && (isDatabaseFault(fields.err) || isStorageFailure(fields.err))) return true;
  return 'error' in fields && OUTAGE_CODES.has(fields.error);
}

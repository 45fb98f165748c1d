import { AsyncLocalStorage } from 'node:async_hooks';
import { MailUnavailableError } from '#api/adapters/mail/mailer.ts';
import { isStorageFailure } from '#api/adapters/storage/object-storage.ts';
import { describeDatabaseFault, isDatabaseFault } from '#api/database/faults.ts';

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

/** Ids that every request has. A line with another one, such as that of an order or a job, is about that alone. */
const IDS_OF_REQUESTS = new Set(['requestId', 'accountId']);
const ERROR_LEVEL = 50;

export interface LogLine {
  level: number;
  fields: unknown;
  message: unknown;
  /** The fields of its logger and of the current work. */
  context: () => object;
}

/**
 * Lets a line about an outage pass once a minute. During an outage every request would say the same, and so would every
 * order that is tried again. A minute later the newest line that was left out follows with their number, so an end is
 * seen as well. Lines with another fault or of another job are counted apart. What people did and the last word about
 * an order, a payment or a job are all written: these are errors, and what is tried again is a warning.
 */
export class OutageLines {
  readonly #repeated = new Map<string, Repeated>();

  /** Calls `write` now, or at the end of the minute with the number of lines that it stands for. */
  pass(line: LogLine, write: (count: number) => void): void {
    const fault = findFault(line.fields);
    if (fault === null || isLastWord(line)) {
      write(1);
      return;
    }
    const { job } = line.fields as { job?: unknown };
    const key = [line.message, job, fault].join('\n');
    const known = this.#repeated.get(key);
    if (known) {
      known.count += 1;
      // Otherwise the line would be written with the request of the first one, which has started the timer.
      const inItsRequest = AsyncLocalStorage.snapshot();
      known.write = (count) => inItsRequest(write, count);
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

/** What is out of order, for comparison. Null when the line is not about an outage. */
function findFault(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null) return null;
  const { err, error } = fields as { err?: unknown; error?: unknown };
  if (isStorageFailure(err)) return err.name;
  if (err instanceof MailUnavailableError) return `${err.name} ${err.code}`;
  if (isDatabaseFault(err)) return describeDatabaseFault(err);
  return OUTAGE_CODES.has(error) ? String(error) : null;
}

function isLastWord({ level, fields, context }: LogLine): boolean {
  const known = { ...context(), ...(fields as object) };
  if ('action' in known) return true;
  if (level < ERROR_LEVEL) return false;
  return Object.entries(known).some(
    ([key, value]) => key.endsWith('Id') && value !== undefined && !IDS_OF_REQUESTS.has(key),
  );
}

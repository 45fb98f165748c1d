import { appendFileSync } from 'node:fs';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Collects the rows of the table that is printed at the end, one JSON text a line. */
    faultTable: string;
  }
}

export interface FaultReport {
  /** Requests that were sent. */
  tried: number;
  /** Orders that were acknowledged, repeated ones too. */
  accepted: number;
  /** Promises that were not kept: acknowledged photos, generations, results and payments that are not there. */
  lost: number;
  /** Acknowledged generations that ended without a picture. Their stars were given back. */
  failed: number;
  /** Rows that nobody asked for: the effect of a request that was done twice. */
  doubled: number;
  /** Pictures that came whole and were not those that had come before. */
  changed: number;
  /** Answers by status and code. */
  seen: Record<string, number>;
  /** Answers that blame the program: every 5xx that does not say «later» (503) or «no space» (507). */
  failures: number;
  /** Lines of the log that came more often than an outage may say them, with their number. */
  floods: string[];
  /** Milliseconds from the end of the fault until everybody was served. */
  recoveredMs: number;
  /** What the books complain about. */
  discrepancies: string[];
}

/** What must hold after every fault, but that orders fail while a disk is full. */
export const UNHARMED = { lost: 0, failed: 0, doubled: 0, changed: 0, failures: 0, floods: [], discrepancies: [] };

/** A row of the table, by the names of the columns. */
export type TableRow = Record<string, string | number>;

/** Prints what was seen, and again in the table at the end of the run. */
export function tell(fault: string, report: FaultReport): void {
  const { seen, recoveredMs, discrepancies, floods, tried, accepted, lost, failed, doubled, changed, failures } =
    report;
  const answers = Object.entries(seen).sort(([a], [b]) => (a < b ? -1 : 1));
  const list = (isShown: (answer: string) => boolean) =>
    answers.flatMap(([answer, count]) => (isShown(answer) ? [`${count}× ${answer}`] : [])).join(', ');
  addRow({
    fault,
    tried,
    accepted,
    lost,
    failed,
    doubled,
    changed,
    refused: list((answer) => !isSuccess(answer)),
    'other 5xx': failures,
    'recovered in': `${(recoveredMs / 1000).toFixed(1)} s`,
    books: discrepancies.length === 0 ? 'agree' : discrepancies.join('; '),
    log: floods.length === 0 ? 'quiet' : floods.join('; '),
  });
}

/** Says in the table which fault was not tried, and why. */
export function reportNotTried(fault: string, reason: string): void {
  addRow({ fault, refused: `NOT TRIED: ${reason}` });
}

function addRow(row: TableRow): void {
  console.log(
    Object.entries(row)
      .map(([name, value]) => (name === 'fault' ? `${value}:` : `${name} ${value}`))
      .join('  '),
  );
  appendFileSync(inject('faultTable'), `${JSON.stringify(row)}\n`);
}

function isSuccess(answer: string): boolean {
  return /^[123]/.test(answer);
}

/** Whether an answer blames the program. */
export function isFailure(answer: string): boolean {
  return /^5/.test(answer) && !/^50[37]/.test(answer);
}

const MINUTE_MS = 60_000;

/** Messages of warnings and errors that are there more often than at once and then once a minute. */
export function findFloods(log: string, lastedMs: number): string[] {
  const counts = new Map<string, number>();
  for (const line of log.split('\n').filter((text) => text.startsWith('{'))) {
    const { level, msg, error, err, action, runId, job } = JSON.parse(line) as LogLine;
    // What became of one order or one request, and that this machine is busy, are no lines about an outage.
    if (action || runId) continue;
    if (level === 'info' || /^(request refused|local job failed|slow (request|operation))$/.test(msg)) continue;
    const told = [msg, job, error, nameFault(err)].filter(Boolean).join(': ');
    counts.set(told, (counts.get(told) ?? 0) + 1);
  }
  const allowed = 2 + Math.ceil(lastedMs / MINUTE_MS);
  return [...counts].flatMap(([told, count]) => (count > allowed ? [`${count}× ${told}`] : []));
}

/** Why there is no connection is told by the message alone: refused, too many, no answer in time. */
function nameFault(err: LogLine['err']): string | undefined {
  return err?.code ?? (err?.type === 'NotSentError' ? err.message : err?.type);
}

interface LogLine {
  level: string;
  msg: string;
  error?: string;
  action?: string;
  runId?: string;
  job?: string;
  err?: { code?: string; type?: string; message?: string };
}

import type { Logger } from 'pino';
import type { PushOutcome } from '#api/adapters/push/push-sender.ts';
import { withTimeout } from '#api/with-timeout.ts';
import { Histogram, type Measurement, Sum } from './instruments.ts';
import { formatPrometheus } from './prometheus-text.ts';

/** Seconds. From an answer out of memory to an upload over a slow connection. */
const REQUEST_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds. From a picture that is made here to the time when the watchdog gives up. */
const GENERATION_BOUNDS = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

const PUSH_RESULTS = ['sent', 'gone', 'refused', 'busy'] as const satisfies PushOutcome['state'][];

/** Figures that are read when somebody asks for them. May query the database. */
type ReadFigures = () => Measurement[] | Promise<Measurement[]>;

/** Questions within this time get the same figures, so that many of them put no load on the database. */
const FIGURES_KEPT_MS = 5_000;
/** A part that takes longer is left out. The other figures must not wait for it. */
const READ_TIMEOUT_MS = 2_000;
/** How often the log says that a part cannot be read. */
const COMPLAINT_INTERVAL_MS = 60_000;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What one process counts, and the figures that it can read. Created once per context. The same figures are shown at
 * `/metrics` and, where the operator has a collector, sent by OpenTelemetry.
 */
export function createMetrics(log: Pick<Logger, 'warn'>) {
  const instruments = {
    /** Labels: route (its pattern), method, status (its class). */
    requestSeconds: new Histogram('podium_http_request_seconds', 'Time until an answer began', REQUEST_BOUNDS),
    /** Label: status (its class). */
    answers: new Sum('podium_http_answers_total', 'counter', 'Answers by class of status'),
    eventStreams: new Sum('podium_event_streams', 'gauge', 'Open event streams'),
    activeBots: new Sum('podium_bot_active', 'gauge', 'Whether this process is the bot that is active'),
    /** Labels: engine, kind, outcome (`completed`, or why not). */
    generationSeconds: new Histogram(
      'podium_generation_seconds',
      'Time from the start of a generation to its end',
      GENERATION_BOUNDS,
    ),
    /** Label: result. */
    mails: new Sum('podium_mails_total', 'counter', 'Mails by result'),
    /** Label: result. */
    pushes: new Sum('podium_pushes_total', 'counter', 'Push messages by result'),
  };
  instruments.eventStreams.add({}, 0);
  // A series that is born with its first event hides it: Prometheus sees no growth.
  for (const status of ['2xx', '3xx', '4xx', '5xx']) instruments.answers.add({ status }, 0);
  for (const result of ['sent', 'failed']) instruments.mails.add({ result }, 0);
  for (const result of PUSH_RESULTS) instruments.pushes.add({ result }, 0);
  const parts: { name: string; read: () => Promise<Measurement[]> }[] = [];

  /** Every figure. Never throws: a part that cannot be read is missing, and `podium_figures_failed` says so. */
  async function collect(): Promise<Measurement[]> {
    const failed = new Sum('podium_figures_failed', 'gauge', 'Whether a part of the figures could not be read');
    const read = await Promise.all(
      parts.map(async ({ name, read }) => {
        const figures = await read().catch(() => null);
        failed.add({ part: name }, figures ? 0 : 1);
        return figures ?? [];
      }),
    );
    return [...Object.values(instruments).map((one) => one.measure()), ...read.flat(), failed.measure()];
  }

  return {
    ...instruments,
    /** Adds figures that are read on demand. `part` names them in the log. */
    watch(part: string, read: ReadFigures): void {
      parts.push({ name: part, read: keepBriefly(part, read, log) });
    },
    collect,
    /** Every figure in the text format of Prometheus, version 0.0.4. */
    async describe(): Promise<string> {
      return formatPrometheus(await collect());
    },
  };
}

function keepBriefly(part: string, read: ReadFigures, log: Pick<Logger, 'warn'>): () => Promise<Measurement[]> {
  let readAt = Number.NEGATIVE_INFINITY;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let kept: Promise<Measurement[]>;
  return () => {
    const now = performance.now();
    if (now - readAt > FIGURES_KEPT_MS) {
      readAt = now;
      kept = withTimeout(Promise.try(read), READ_TIMEOUT_MS);
      kept.catch((error: unknown) => {
        if (now - complainedAt < COMPLAINT_INTERVAL_MS) return;
        complainedAt = now;
        log.warn({ err: error, part }, 'figures cannot be read');
      });
    }
    return kept;
  };
}

import type { BatchObservableResult, Observable } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  AggregationType,
  InstrumentType,
  MeterProvider,
  MetricReader,
  type ResourceMetrics,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics';
import type { Logger } from 'pino';
import type { PushOutcome } from '#api/adapters/push/push-sender.ts';
import { withTimeout } from '#api/platform/with-timeout.ts';

const REQUEST_SECONDS = 'podium_http_request_seconds';
const GENERATION_SECONDS = 'podium_generation_seconds';

const VIEWS: ViewOptions[] = [
  // From an answer out of memory to an upload over a slow connection.
  viewBuckets(REQUEST_SECONDS, [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]),
  // From a picture that is made here to the time when the watchdog gives up.
  viewBuckets(GENERATION_SECONDS, [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600]),
];

const PUSH_RESULTS = ['sent', 'gone', 'refused', 'busy'] as const satisfies PushOutcome['state'][];

/** A part that takes longer is left out. The other figures must not wait for it. */
const READ_TIMEOUT_MS = 2_000;

/** Text format 0.0.4, without labels about the SDK, which are the same everywhere. */
const SERIALIZER = new PrometheusSerializer('', false, undefined, true, true);

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What one process counts, and the figures that it can read. Created once per context, and nothing of it is global, so
 * that servers of one process do not share it. The same figures are shown at `/metrics` and, where the operator has a
 * collector, sent by OpenTelemetry. Names are in base units; a label takes its values from a small set, because each
 * combination is kept.
 */
export function createMetrics(log: Pick<Logger, 'warn'>) {
  const reader = new OnDemandReader();
  const meter = new MeterProvider({ readers: [reader], views: VIEWS }).getMeter('podium');
  const counted = {
    /** Labels: route (its pattern), method, status (its class). */
    requestSeconds: meter.createHistogram(REQUEST_SECONDS, { description: 'Time until an answer began' }),
    /** Label: status (its class). */
    answers: meter.createCounter('podium_http_answers_total', { description: 'Answers by class of status' }),
    eventStreams: meter.createUpDownCounter('podium_event_streams', { description: 'Open event streams' }),
    activeBots: meter.createUpDownCounter('podium_bot_active', {
      description: 'Whether this process is the bot that is active',
    }),
    /** Labels: engine, kind, outcome (`completed`, or why not). */
    generationSeconds: meter.createHistogram(GENERATION_SECONDS, {
      description: 'Time from the start of a generation to its end',
    }),
    /** Label: result. */
    mails: meter.createCounter('podium_mails_total', { description: 'Mails by result' }),
    /** Label: result. */
    pushes: meter.createCounter('podium_pushes_total', { description: 'Push messages by result' }),
  };
  counted.eventStreams.add(0);
  // A series that is born with its first event hides it: Prometheus sees no growth.
  for (const status of ['2xx', '3xx', '4xx', '5xx']) counted.answers.add(0, { status });
  for (const result of ['sent', 'failed']) counted.mails.add(0, { result });
  for (const result of PUSH_RESULTS) counted.pushes.add(0, { result });
  const failed = meter.createObservableGauge('podium_figures_failed', {
    description: 'Whether a part of the figures could not be read',
  });

  /**
   * Adds figures that are read each time somebody asks, which may query the database. `part` names them together. When
   * they cannot be read they are missing, `podium_figures_failed` is 1, and the log says so until they can be read again.
   */
  function watch(part: string, figures: Observable[], read: (result: BatchObservableResult) => void | Promise<void>) {
    let isFailing = false;
    meter.addBatchObservableCallback(
      async (result) => {
        try {
          await withTimeout(Promise.try(read, result), READ_TIMEOUT_MS);
          isFailing = false;
        } catch (error) {
          if (!isFailing) log.warn({ err: error, part }, 'figures cannot be read');
          isFailing = true;
        }
        result.observe(failed, isFailing ? 1 : 0, { part });
      },
      [...figures, failed],
    );
  }

  return {
    ...counted,
    meter,
    watch,
    /** Every figure. Never throws. Whoever asks while another one is being answered gets the same answer. */
    collect: () => reader.collectOnce(),
    /** Every figure in the text format of Prometheus. */
    describe: async () => SERIALIZER.serialize(await reader.collectOnce()),
  };
}

function viewBuckets(instrumentName: string, boundaries: number[]): ViewOptions {
  return { instrumentName, aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries } } };
}

/**
 * The only reader of the figures, because a second one that is never asked would be kept every change since the start.
 * Counts are totals since the start. Gauges are what was read now: as totals they would keep the last value of a figure
 * that can no longer be read.
 */
class OnDemandReader extends MetricReader {
  #collecting: Promise<ResourceMetrics> | null = null;

  constructor() {
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    });
  }

  /** A gauge that was read goes to one collection only, so there is one at a time. */
  collectOnce(): Promise<ResourceMetrics> {
    this.#collecting ??= this.collect()
      .then(({ resourceMetrics }) => resourceMetrics)
      .finally(() => {
        this.#collecting = null;
      });
    return this.#collecting;
  }

  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

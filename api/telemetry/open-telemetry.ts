import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { findRequest, type Tracing } from '#api/platform/request-context.ts';
import type { Metrics } from './metrics.ts';

const NAME = 'podium';
const EXPORT_INTERVAL_MS = 60_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** A collector that is down must not hold up a stop. */
const CLOSE_TIMEOUT_MS = 2_000;
/** How often the log says that nothing reaches the collector. */
const COMPLAINT_INTERVAL_MS = 60_000;

interface OpenTelemetryOptions {
  /** The collector's address. Paths are added: `/v1/traces`, `/v1/metrics`. */
  endpoint: string;
  roles: readonly string[];
  metrics: Metrics;
  log: Pick<Logger, 'warn'>;
}

/**
 * Sends spans and the figures of `/metrics` to the operator's collector, as OTLP in JSON over HTTP. This file is loaded
 * only then, because its exporters take memory and time of the start. Nothing of it is global, so that servers of one
 * process do not share it.
 */
export function startOpenTelemetry({ endpoint, roles, metrics, log }: OpenTelemetryOptions): {
  tracing: Tracing;
  close(): Promise<void>;
} {
  const resource = resourceFromAttributes({
    'service.name': NAME,
    'service.instance.id': randomUUID(),
    'podium.roles': roles.join(),
  });
  const complain = complainBriefly(log);
  const connection = (path: string) => ({ url: `${endpoint}${path}`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const figures = watchExports(new OTLPMetricExporter(connection('/v1/metrics')), complain);
  // The SDK's periodic reader would be a second one; see OnDemandReader.
  const sendFigures = async () => {
    const collected = await metrics.collect();
    await new Promise((resolve) => figures.export({ ...collected, resource }, resolve));
  };
  const timer = setInterval(sendFigures, EXPORT_INTERVAL_MS).unref();
  const tracers = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(watchExports(new OTLPTraceExporter(connection('/v1/traces')), complain))],
  });
  return {
    tracing: createTracing(tracers),
    async close() {
      clearInterval(timer);
      const sent = Promise.allSettled([tracers.shutdown(), sendFigures().then(() => figures.shutdown())]);
      await Promise.race([sent, wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** The exporters keep their failures to themselves, so each result is looked at here. */
function watchExports<Exporter extends { export(items: never, done: (result: { error?: Error }) => void): void }>(
  exporter: Exporter,
  complain: (error: Error) => void,
): Exporter {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.error) complain(result.error);
      done(result);
    });
  return exporter;
}

function complainBriefly(log: Pick<Logger, 'warn'>): (error: Error) => void {
  let complainedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - complainedAt < COMPLAINT_INTERVAL_MS) return;
    complainedAt = performance.now();
    log.warn({ err: error }, 'the OpenTelemetry collector cannot be reached');
  };
}

const TRACEPARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

/** The current span is the traceparent of the current request, so it goes through jobs as it goes through calls. */
function createTracing(tracers: NodeTracerProvider): Tracing {
  const tracer = tracers.getTracer(NAME);
  return {
    begin(name, attributes = {}) {
      const parent = TRACEPARENT.exec(findRequest()?.traceparent ?? '')?.groups;
      const { traceId = '', spanId = '', flags = '' } = parent ?? {};
      const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
        : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes }, context);
      const own = span.spanContext();
      return {
        traceparent: `00-${own.traceId}-${own.spanId}-${own.traceFlags.toString(16).padStart(2, '0')}`,
        end({ error, attributes: late } = {}) {
          if (late) span.setAttributes(late);
          // The message of an error may quote personal data. The log hides it; a collector would not.
          if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: nameError(error) });
          span.end();
        },
      };
    },
  };
}

function nameError(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}

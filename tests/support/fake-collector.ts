import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { forgiveCutRequests } from './forgive-cut-requests.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}
interface Point {
  attributes: Attribute[];
  asDouble?: number;
  asInt?: string;
  count?: string | number;
  sum?: number;
  explicitBounds?: number[];
  bucketCounts?: (string | number)[];
}
export interface ReceivedMetric {
  name: string;
  sum?: { isMonotonic: boolean; dataPoints: Point[] };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}

/** A collector of OpenTelemetry: OTLP in JSON over HTTP, protocol 1.x. */
export interface FakeCollector {
  endpoint: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  /** Every call so far, also those that it refused. */
  calls: string[];
  /** From now on it answers this status. */
  answer(status: number): void;
  close(): Promise<void>;
}

export async function startFakeCollector(): Promise<FakeCollector> {
  let status = 200;
  const [spans, metrics, calls]: [ReceivedSpan[], ReceivedMetric[], string[]] = [[], [], []];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    calls.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
    const body = (await json(request)) as {
      resourceSpans?: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
      resourceMetrics?: { scopeMetrics: { metrics: ReceivedMetric[] }[] }[];
    };
    if (status === 200) {
      spans.push(...(body.resourceSpans ?? []).flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
      metrics.push(
        ...(body.resourceMetrics ?? []).flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics)),
      );
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void forgiveCutRequests(request, serve(request, response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    spans,
    metrics,
    calls,
    answer(next) {
      status = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

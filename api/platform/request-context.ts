import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What a piece of work belongs to. Written on every line of the log, and kept with the jobs that the work sends. */
export interface RequestContext {
  /** Of the HTTP request, or of the job that nobody asked for. */
  requestId: string;
  /** The generation that a job makes. */
  generationId?: string | undefined;
  /** The current span, in the format of W3C Trace Context. Only with OpenTelemetry. */
  traceparent?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs the work, and everything that it starts, as a part of this request. */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The request that the current work belongs to. Undefined outside of any. */
export function findRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** Headers for calls to other services, so that a request can be found in their logs, too. */
export function describeOrigin(): Record<string, string> {
  const { requestId, traceparent } = findRequest() ?? {};
  return { ...(requestId ? { 'x-request-id': requestId } : {}), ...(traceparent ? { traceparent } : {}) };
}

type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work with its beginning and end. */
export interface Span {
  /** Makes later spans and calls parts of this one. */
  traceparent: string;
  end(outcome?: { error?: unknown; attributes?: Attributes }): void;
}

/** Writes spans for the operator's collector. */
export interface Tracing {
  /** Begins a span below that of the current request. */
  begin(name: string, attributes?: Attributes): Span;
}

/** Runs the work in a span of its own. Without tracing, which is null then, it only runs the work. */
export async function runInSpan<T>(
  tracing: Tracing | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const span = tracing.begin(name, attributes);
  try {
    const result = await runInRequest(
      { requestId: randomUUID(), ...findRequest(), traceparent: span.traceparent },
      work,
    );
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

import { z } from 'zod';
import { wasNeverSent } from '#api/platform/never-sent.ts';
import { parseJson } from '#api/platform/parse-json.ts';
import { describeOrigin } from '#api/platform/request-context.ts';
import { abortAfter } from '#api/platform/with-timeout.ts';

/**
 * Why a call failed.
 * `unreachable`: the server was not reached, so the call had no effect. `unanswered`: the request was sent and no
 * answer came, so it may have had its effect. `denied`: the proxy refuses the token. `too_large`: the request is larger
 * than the server or its proxy accepts. `rejected`: the server refuses what was sent. `faulty`: any other answer.
 */
type ComfyuiFault = 'unreachable' | 'unanswered' | 'denied' | 'too_large' | 'rejected' | 'faulty';

export class ComfyuiError extends Error {
  readonly fault: ComfyuiFault;

  constructor(fault: ComfyuiFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ComfyuiError';
    this.fault = fault;
  }
}

export interface CallOptions {
  /** Without a trailing slash. */
  url: string;
  token: string | undefined;
  /** For calls that carry no files. */
  timeoutMs: number;
}

type Sent = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; timeoutMs?: number };

export type Calls = ReturnType<typeof createCalls>;

const nodeErrors = z.record(
  z.string(),
  z.object({
    errors: z.array(z.object({ type: z.string(), details: z.string().default('') })).default([]),
    dependent_outputs: z.array(z.string()).default([]),
  }),
);
/** What the server found wrong, by node. Some versions send an empty list instead of an empty object. */
export const lenientNodeErrors = nodeErrors.catch({});
const rejection = z.object({
  error: z.union([z.string(), z.object({ type: z.string(), message: z.string().default('') })]),
  node_errors: lenientNodeErrors.optional(),
});

/**
 * Calls of one server. All throw ComfyuiError. They send no Origin header, because ComfyUI refuses foreign ones, and
 * follow no redirect, because the token belongs to this address only.
 */
export function createCalls({ url, token, timeoutMs }: CallOptions) {
  // Failures are shown to the operator, and addresses stay in the settings.
  const { host } = new URL(url);
  const calls = {
    /** Returns as soon as the answer begins, whatever its status. */
    async send(path: string, { headers, timeoutMs: own, signal, ...request }: Sent = {}): Promise<Response> {
      try {
        return await fetch(url + path, {
          ...request,
          headers: { ...describeOrigin(), ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
          redirect: 'manual',
          signal: abortAfter(own ?? timeoutMs, signal),
        });
      } catch (error) {
        throw describeLostCall(host + path, error);
      }
    },
    /** Returns the whole answer, whatever its status. */
    async read(path: string, sent?: Sent): Promise<{ status: number; text: string }> {
      const response = await calls.send(path, sent);
      try {
        return { status: response.status, text: await response.text() };
      } catch (error) {
        throw describeLostCall(host + path, error);
      }
    },
    /** Returns the parsed body of a 200. */
    async call<Shape extends z.ZodType>(path: string, shape: Shape, sent?: Sent): Promise<z.output<Shape>> {
      const { status, text } = await calls.read(path, sent);
      assertOk(status, text, host + path);
      const parsed = shape.safeParse(parseJson(text));
      if (!parsed.success) throw new ComfyuiError('faulty', `${host}${path} answered what cannot be read`);
      return parsed.data;
    },
    /** Sends JSON and ignores the body of the answer. */
    async post(path: string, body: object): Promise<void> {
      const { status, text } = await calls.read(path, { method: 'POST', ...asJson(body) });
      assertOk(status, text, host + path);
    },
  };
  return calls;
}

export function asJson(body: object): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function describeLostCall(where: string, error: unknown): ComfyuiError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const fault = wasNeverSent(error) ? 'unreachable' : 'unanswered';
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  // The code of a time-out is a number that says nothing.
  const why = isTimeout ? 'time-out' : code || String(cause);
  return new ComfyuiError(fault, `${where} did not answer (${why})`, { cause: error });
}

/** Throws what an answer other than 200 means. */
export function assertOk(status: number, text: string, where: string): void {
  if (status === 200) return;
  const answered = `${where} answered ${status}`;
  switch (status) {
    case 400:
      throw new ComfyuiError('rejected', `${answered}: ${describeRejection(text)}`);
    case 401:
    case 403:
      throw new ComfyuiError('denied', answered);
    case 413:
      throw new ComfyuiError('too_large', answered);
    case 408:
    case 504:
      throw new ComfyuiError('unanswered', answered);
    case 429:
    case 502:
    case 503:
      throw new ComfyuiError('unreachable', answered);
    default:
      throw new ComfyuiError('faulty', answered);
  }
}

function describeRejection(text: string): string {
  const { data } = rejection.safeParse(parseJson(text));
  if (!data) return 'without a reason';
  const reason = typeof data.error === 'string' ? data.error : `${data.error.type}, ${data.error.message}`;
  return [reason, ...new Set(listNodeFaults(data.node_errors ?? {}).values())].join('; ');
}

/** The reason for each node that is wrong or depends on a wrong one. */
export function listNodeFaults(found: z.output<typeof nodeErrors>): Map<string, string> {
  const faults = new Map<string, string>();
  for (const [id, { errors, dependent_outputs }] of Object.entries(found)) {
    const listed = errors.map(({ type, details }) => (details ? `${type} (${details})` : type)).join(', ');
    for (const node of [id, ...dependent_outputs]) faults.set(node, `node ${id}: ${listed}`);
  }
  return faults;
}

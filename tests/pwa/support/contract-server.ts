import { vi } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { ERRORS, type ErrorBody, type ErrorCode } from '#shared/contract/errors.ts';

/** One call of the page, as a server would receive it. */
export interface Call {
  url: URL;
  headers: Headers;
  /** Parsed JSON or a form. */
  body: unknown;
}

interface Reply {
  status: number;
  body: BodyInit | null;
  headers?: Record<string, string>;
}

type AnswerOf<E extends Endpoint> = E['answer'] extends z.core.$ZodType ? z.input<E['answer']> : undefined;

/** The answer of a proxy in between, in its own language, for `garble`. */
export const BAD_GATEWAY = ['<html>Bad Gateway</html>', 502] as const;

/** Errors that every endpoint may answer, whether the contract lists them or not. */
const EVERYWHERE: readonly ErrorCode[] = [
  'password_change_required',
  'invalid_request',
  'unauthorized',
  'email_not_verified',
  'internal',
  'unavailable',
];

/**
 * Answers the page's calls according to the contract. Every answer and the body, form and query of every call
 * must fit the endpoint's schema, and every error must be one that the endpoint lists. What does not fit is listed in
 * `faults`, as are calls without an answer.
 */
export interface ContractServer {
  answer<const E extends Endpoint>(endpoint: E, answer: AnswerOf<E> | ((call: Call) => AnswerOf<E>)): void;
  refuse<const E extends Endpoint>(endpoint: E, code: ErrorCode, details?: Partial<ErrorBody>): void;
  /** Answers with a body that our server never sends: empty, unreadable, or a proxy's page. */
  garble<const E extends Endpoint>(endpoint: E, body: string, status?: number): void;
  /** The connection breaks before an answer. */
  cut<const E extends Endpoint>(endpoint: E): void;
  /** For endpoints that answer with a file. */
  sendFile<const E extends Endpoint>(endpoint: E, file: Blob, headers?: Record<string, string>): void;
  /** Holds back the answers from now on, until the returned function or `letAnswer` is called. */
  hold<const E extends Endpoint>(endpoint: E): () => void;
  letAnswer<const E extends Endpoint>(endpoint: E): void;
  /** Calls so far, the oldest first. */
  callsOf<const E extends Endpoint>(endpoint: E): Call[];
  /** Calls without an answer, as «GET /api/…», and calls that do not fit the contract, with the reason. */
  readonly faults: readonly string[];
}

interface Row {
  endpoint: Endpoint;
  path: RegExp;
  reply: (call: Call) => Reply;
  held: Promise<void> | null;
  calls: Call[];
}

/** Replaces `fetch` and XMLHttpRequest until `vi.unstubAllGlobals`. */
export function startContractServer(): ContractServer {
  const rows = new Map<string, Row>();
  const releases = new Map<string, () => void>();
  const faults: string[] = [];
  const keyOf = ({ method, path }: Endpoint) => `${method} ${path}`;

  function enter(endpoint: Endpoint, reply: Row['reply']): void {
    const key = keyOf(endpoint);
    const path = new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`);
    rows.set(key, { endpoint, path, reply, held: null, calls: rows.get(key)?.calls ?? [] });
  }

  async function take(method: string, call: Call): Promise<Reply> {
    if (call.url.pathname === '/healthz') return { status: 200, body: null };
    // A literal path wins over a path with a placeholder.
    const row = [...rows.values()]
      .filter(
        ({ endpoint, path }) =>
          endpoint.method === (method === 'HEAD' ? 'GET' : method) && path.test(call.url.pathname),
      )
      .sort((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length)[0];
    if (!row) {
      faults.push(`${method} ${call.url.pathname}`);
      return { status: 404, body: null };
    }
    const { body, query, fields } = row.endpoint;
    const sent = call.body instanceof FormData ? readFields(call.body) : null;
    for (const parsed of [
      sent ? fields?.safeParse(sent) : body?.safeParse(call.body),
      query?.safeParse(Object.fromEntries(call.url.searchParams)),
    ]) {
      if (parsed?.error) faults.push(`${method} ${call.url.pathname}: ${parsed.error.message}`);
    }
    row.calls.push(call);
    await row.held;
    const reply = row.reply(call);
    return method === 'HEAD' ? { ...reply, body: null } : reply;
  }

  stubFetch(take);
  stubXmlHttpRequest(take);
  return {
    faults,
    answer(endpoint, answer) {
      const read = (call: Call) => (answer instanceof Function ? (answer as (call: Call) => unknown)(call) : answer);
      enter(endpoint, (call) => {
        if (!endpoint.answer) return { status: 204, body: null };
        const parsed = endpoint.answer.safeParse(read(call));
        if (parsed.error) faults.push(`the answer of ${endpoint.path}: ${parsed.error.message}`);
        return { status: 200, body: JSON.stringify(parsed.data ?? null) };
      });
    },
    refuse(endpoint, code, details = {}) {
      if (!EVERYWHERE.includes(code) && !endpoint.errors?.includes(code)) {
        throw new Error(`${endpoint.path} is not said to answer ${code}`);
      }
      const { status, message } = ERRORS[code];
      enter(endpoint, () => ({ status, body: JSON.stringify({ message, code, ...details }) }));
    },
    garble: (endpoint, body, status = 200) => enter(endpoint, () => ({ status, body })),
    cut: (endpoint) =>
      enter(endpoint, () => {
        throw new TypeError('Failed to fetch');
      }),
    sendFile: (endpoint, file, headers) => enter(endpoint, () => ({ status: 200, body: file, headers })),
    hold(endpoint) {
      const row = rows.get(keyOf(endpoint));
      if (!row) throw new Error(`${endpoint.path} has no answer to hold`);
      const { promise, resolve } = Promise.withResolvers<void>();
      row.held = promise;
      const release = () => {
        row.held = null;
        resolve();
      };
      releases.set(keyOf(endpoint), release);
      return release;
    },
    letAnswer: (endpoint) => releases.get(keyOf(endpoint))?.(),
    callsOf: (endpoint) => rows.get(keyOf(endpoint))?.calls ?? [],
  };
}

type Take = (method: string, call: Call) => Promise<Reply>;

function stubFetch(take: Take): void {
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', headers, body, signal }: RequestInit = {}) => {
    // A browser sends nothing in this case.
    if (signal?.aborted) throw signal.reason;
    const broken = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const call = { url: new URL(address, location.href), headers: new Headers(headers), body: readBody(body) };
    const reply = await Promise.race([take(method, call), broken]);
    const response = new Response(reply.body, { status: reply.status, headers: reply.headers });
    // `blob()` of Node's Response returns a Blob that happy-dom does not accept.
    return reply.body instanceof Blob ? Object.assign(response, { blob: async () => reply.body }) : response;
  });
}

function stubXmlHttpRequest(take: Take): void {
  class Request {
    upload = {};
    status = 0;
    statusText = '';
    responseText = '';
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    onabort: (() => void) | null = null;
    onloadend: (() => void) | null = null;
    #method = '';
    #address = '';
    #headers = new Headers();
    #isAborted = false;

    open(method: string, address: string) {
      this.#method = method;
      this.#address = address;
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value);
    }
    async send(body: FormData) {
      const call = { url: new URL(this.#address, location.href), headers: this.#headers, body };
      const reply = await take(this.#method, call).catch(() => null);
      if (this.#isAborted) return;
      if (reply === null) {
        this.onerror?.();
        this.onloadend?.();
        return;
      }
      this.status = reply.status;
      this.responseText = typeof reply.body === 'string' ? reply.body : '';
      this.onload?.();
      this.onloadend?.();
    }
    abort() {
      this.#isAborted = true;
      this.onabort?.();
      this.onloadend?.();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
}

/** The text fields of a form. */
function readFields(form: FormData): Record<string, unknown> {
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

function readBody(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : (body ?? undefined);
}

import { noteAnswered, noteUnanswered } from '#pwa/device/connection.ts';
import { logRequest } from '#pwa/device/log.ts';
import { measureClockSkew } from '#pwa/device/server-clock.ts';
import { withResolvers } from '#pwa/device/with-resolvers.ts';
import type { Endpoint, EndpointAnswer, EndpointInput } from '#shared/contract/endpoint.ts';
import {
  type AnswerMessages,
  ApiError,
  INVALID_JSON_RESPONSE,
  readErrorAnswer,
  readJsonAnswer,
  UNKNOWN_ERROR,
} from './api-error.ts';

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The caller's texts for an empty or unreadable body. */
  messages?: AnswerMessages;
}

/** What any endpoint may be called with, for code that serves all of them. */
export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  fields?: Record<string, string | undefined>;
}

/** An endpoint without input is called as `callApi(getUser)`. */
type CallArguments<E extends Endpoint, O> =
  Record<never, never> extends EndpointInput<E>
    ? [input?: EndpointInput<E>, options?: O]
    : [input: EndpointInput<E>, options?: O];

/** Calls of `callApi` that need a session and are not answered yet. */
const unanswered = new Set<Promise<void>>();

/** Resolves when the calls of `callApi` so far that need a session are answered, whatever the answers are. */
export async function whenAnswered(): Promise<void> {
  await Promise.all(unanswered);
}

let unauthorizedListener: (() => void) | null = null;
/**
 * Whether a call was refused before there was a listener to report it to. The first calls may be answered before its
 * code has come.
 */
let isUnreported = false;

/**
 * Sets what runs whenever a call that needs a session is answered with 401, and at once if one was answered so before.
 * Null removes it.
 */
export function setUnauthorizedListener(listener: (() => void) | null): void {
  unauthorizedListener = listener;
  if (isUnreported && listener) reportUnauthorized();
}

function reportUnauthorized(): void {
  isUnreported = unauthorizedListener === null;
  unauthorizedListener?.();
}

/**
 * Calls one endpoint of the contract with the session cookie and returns its parsed answer. Throws ApiError for
 * anything that is not a success. An abort throws the signal's own reason.
 */
export async function callApi<const E extends Endpoint>(
  endpoint: E,
  ...[input, options = {}]: CallArguments<E, CallOptions>
): Promise<EndpointAnswer<E>> {
  const { body } = (input ?? {}) as LooseInput;
  const startedAt = performance.now();
  const answered = withResolvers<void>();
  if (endpoint.access !== 'public') unanswered.add(answered.promise);
  let status = 0;
  try {
    const response = await fetch(buildUrl(endpoint, input), {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal,
    });
    status = response.status;
    noteAnswered();
    measureClockSkew(response.headers.get('date'), Date.now());
    return readAnswer(endpoint, response.status, response.statusText, await response.text(), options.messages);
  } catch (error) {
    if (options.signal?.aborted || error instanceof ApiError) throw error;
    noteUnanswered();
    throw new ApiError(0, UNKNOWN_ERROR);
  } finally {
    unanswered.delete(answered.promise);
    answered.resolve();
    logRequest({ method: endpoint.method, path: endpoint.path, status, durationMs: performance.now() - startedAt });
  }
}

/** The URL of an endpoint with its placeholders and query filled in. */
export function buildUrl(endpoint: Endpoint, input: unknown): string {
  const { params = {}, query = {} } = (input ?? {}) as LooseInput;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The parsed answer of an endpoint. Throws ApiError for anything that is not a success. */
export function readAnswer<E extends Endpoint>(
  endpoint: E,
  status: number,
  statusText: string,
  text: string,
  messages?: AnswerMessages,
): EndpointAnswer<E> {
  if (status < 200 || status > 299) {
    if (status === 401 && endpoint.access !== 'public') reportUnauthorized();
    throw readErrorAnswer(status, statusText, text);
  }
  if (!endpoint.answer) return undefined as EndpointAnswer<E>;
  const body = readJsonAnswer(text, messages);
  const parsed = endpoint.answer.safeParse(body);
  if (!parsed.success) throw new ApiError(500, messages?.invalid ?? INVALID_JSON_RESPONSE, body);
  return parsed.data as EndpointAnswer<E>;
}

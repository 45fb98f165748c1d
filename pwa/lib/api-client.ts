import type { Endpoint, EndpointAnswer, EndpointInput } from '#shared/contract/endpoint.ts';
import {
  type AnswerMessages,
  ApiError,
  INVALID_JSON_RESPONSE,
  readErrorAnswer,
  readJsonAnswer,
  UNKNOWN_ERROR,
} from './api-error.ts';
import { noteAnswered, noteUnanswered } from './connection.ts';
import { logRequest } from './log.ts';
import { measureClockSkew } from './server-clock.ts';
import { withResolvers } from './with-resolvers.ts';

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The caller's texts for an empty or unreadable body. */
  messages?: AnswerMessages;
}

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  fields?: Record<string, string | undefined>;
}

/** Enough for ten megabytes over a bad mobile connection. */
export const UPLOAD_TIMEOUT_MS = 5 * 60_000;

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
/** Whether a call was refused before there was a listener. The first calls may be answered before its code has come. */
let isUnheard = false;

/**
 * Sets what runs whenever a call that needs a session is answered with 401, and at once if one was answered so before.
 * Null removes it.
 */
export function setUnauthorizedListener(listener: (() => void) | null): void {
  unauthorizedListener = listener;
  if (isUnheard && listener) reportUnauthorized();
}

function reportUnauthorized(): void {
  isUnheard = unauthorizedListener === null;
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

export interface UploadOptions extends CallOptions {
  /** Receives the share of the bytes sent, 0 to 1. Browsers that cannot tell never call it. */
  onProgress?: (share: number) => void;
}

/** Sends a file with the text fields of its endpoint and reports the progress. Throws like `callApi`. */
export function uploadFile<const E extends Endpoint & { file: string }>(
  endpoint: E,
  input: EndpointInput<E>,
  { signal, headers = {}, messages, onProgress }: UploadOptions = {},
): Promise<EndpointAnswer<E>> {
  const { file, fields = {} } = input as LooseInput;
  const form = new FormData();
  // The fields come before the file: a server that parses the form as it arrives knows them when the file begins.
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  if (file) form.set(endpoint.file, file);
  // fetch cannot report upload progress.
  const request = new XMLHttpRequest();
  request.open(endpoint.method, buildUrl(endpoint, input));
  // A server that vanished without closing the connection would keep the page waiting.
  request.timeout = UPLOAD_TIMEOUT_MS;
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const { promise, resolve, reject } = withResolvers<EndpointAnswer<E>>();
  const startedAt = performance.now();
  const abort = () => request.abort();
  request.upload.onprogress = (event) => {
    if (event.lengthComputable) onProgress?.(event.loaded / event.total);
  };
  request.onload = () => {
    noteAnswered();
    try {
      resolve(readAnswer(endpoint, request.status, request.statusText, request.responseText, messages));
    } catch (error) {
      reject(error);
    }
  };
  request.onerror = request.ontimeout = () => {
    noteUnanswered();
    reject(new ApiError(0, UNKNOWN_ERROR));
  };
  request.onabort = () => reject(signal?.reason ?? new ApiError(0, UNKNOWN_ERROR));
  request.onloadend = () => {
    signal?.removeEventListener('abort', abort);
    logRequest({
      method: endpoint.method,
      path: endpoint.path,
      status: request.status,
      durationMs: performance.now() - startedAt,
    });
  };
  if (signal?.aborted) return Promise.reject(signal.reason);
  signal?.addEventListener('abort', abort);
  request.send(form);
  return promise;
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

function readAnswer<E extends Endpoint>(
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

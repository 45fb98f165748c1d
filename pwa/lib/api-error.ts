import type { ErrorBody, ErrorCode } from '#shared/contract/errors.ts';

/** Fixed messages of the specification. */
export const EMPTY_RESPONSE = 'Empty response from server';
export const INVALID_JSON_RESPONSE = 'Invalid JSON response from server';
export const UNKNOWN_ERROR = 'Unknown error';

/** A text of ours in Russian, and not JSON that contains one. */
const RUSSIAN = /^[^{["]*[а-яё]/i;

/** A call that did not succeed. Status 0: no answer came (no network, blocked, broken off by the server). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The parsed body of the answer, or null when there was none or it was not JSON. */
  readonly body: unknown;

  constructor(status: number, message: string, body: unknown = null) {
    super(message);
    this.status = status;
    this.body = body;
  }

  /** Stable code from the body, when the server sent one. */
  get code(): ErrorCode | null {
    return (this.#bodyField('code') as ErrorCode | undefined) ?? null;
  }

  /** The server's own words for a person, when it sent any. */
  get serverMessage(): string | null {
    return this.#bodyField('message') ?? null;
  }

  /** Further fields of the error body, such as `generationId` or `retryAfter`. */
  get details(): Partial<ErrorBody> {
    return typeof this.body === 'object' && this.body !== null ? (this.body as Partial<ErrorBody>) : {};
  }

  #bodyField(name: 'code' | 'message'): string | undefined {
    const value = this.details[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }
}

/** The error of an answer that is not OK: the body's message, else the status text, else the raw text. */
export function readErrorAnswer(status: number, statusText: string, text: string): ApiError {
  const body = parseJson(text);
  if (body === undefined) return new ApiError(status, statusText || UNKNOWN_ERROR);
  const error = new ApiError(status, text, body);
  return error.serverMessage ? new ApiError(status, error.serverMessage, body) : error;
}

/** Reads a successful JSON body; an empty one and the texts undefined and null count as empty. Throws ApiError. */
export function readJsonAnswer(text: string, messages: AnswerMessages = {}): unknown {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'undefined' || trimmed === 'null') {
    throw new ApiError(500, messages.empty ?? EMPTY_RESPONSE);
  }
  const body = parseJson(trimmed);
  if (body === undefined) throw new ApiError(500, messages.invalid ?? INVALID_JSON_RESPONSE);
  return body;
}

/** Other words for a body that is empty or cannot be read, where the specification has its own. */
export interface AnswerMessages {
  empty?: string;
  invalid?: string;
}

/**
 * The text to show: the server's message, else the caller's text for an unreadable answer, else a text about the
 * network, else the fallback. A proxy in between may answer in its own language; that is only logged.
 */
export function describeError(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status === 0) return 'Нет связи с сервером. Проверьте интернет и повторите';
  const words = error.serverMessage ?? error.message;
  return RUSSIAN.test(words) ? words : fallback;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

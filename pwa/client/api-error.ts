import type { ErrorBody, ErrorCode } from '#shared/contract/errors.ts';
import { localizeEngineDay } from './engine-day.ts';

/** Messages that the specification fixes. */
const EMPTY_RESPONSE = 'Empty response from server';
export const INVALID_JSON_RESPONSE = 'Invalid JSON response from server';
export const UNKNOWN_ERROR = 'Unknown error';

/** Matches a Russian text, but not JSON that contains one. */
const RUSSIAN = /^[^{["]*[а-яё]/i;

/** A call that did not succeed. Status 0 means that no answer came: no network, blocked, or the connection was cut. */
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

  /** The stable error code of the body; null when the server sent none. */
  get code(): ErrorCode | null {
    return (this.#bodyField('code') as ErrorCode | undefined) ?? null;
  }

  /** The server's message for people; null when it sent none. */
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

/** Whether the server refused a call with this code. */
export function isRefusedFor(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code;
}

/** The error for an answer that is not OK. Its message comes from the body, else the status text, else the raw text. */
export function readErrorAnswer(status: number, statusText: string, text: string): ApiError {
  const body = parseJson(text);
  if (body === undefined) return new ApiError(status, statusText || UNKNOWN_ERROR);
  const error = new ApiError(status, text, body);
  return error.serverMessage ? new ApiError(status, error.serverMessage, body) : error;
}

/**
 * Parses the JSON body of a success. An empty body and the texts `undefined` and `null` count as empty. Throws
 * ApiError.
 */
export function readJsonAnswer(text: string, messages: AnswerMessages = {}): unknown {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'undefined' || trimmed === 'null') {
    throw new ApiError(500, messages.empty ?? EMPTY_RESPONSE);
  }
  const body = parseJson(trimmed);
  if (body === undefined) throw new ApiError(500, messages.invalid ?? INVALID_JSON_RESPONSE);
  return body;
}

/** Replaces the messages for an empty or unreadable body where the specification has special ones. */
export interface AnswerMessages {
  empty?: string;
  invalid?: string;
}

/**
 * The text to show for an error. It is the server's message, the caller's text for an unreadable answer, a text about
 * the network, or the fallback. A proxy may answer in another language: such a text is only logged.
 */
export function describeError(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status === 0) return 'Нет связи с сервером. Проверьте интернет и повторите';
  const words = error.serverMessage ?? error.message;
  return RUSSIAN.test(words) ? localizeEngineDay(words) : fallback;
}

/** Whether the file that was asked for is lost on the server. */
export function isFileLost(error: unknown): boolean {
  return error instanceof ApiError && error.status === 410;
}

/** Statuses whose cause only the server knows: the file is lost, the storage is away or has no room. */
const FILE_REFUSALS = [410, 503, 507];

/** Why the server does not give a stored file now, in its own words; null when it has none that help. */
export function describeFileRefusal(error: unknown): string | null {
  const isExplained = error instanceof ApiError && FILE_REFUSALS.includes(error.status) && error.serverMessage !== null;
  return isExplained ? describeError(error, '') || null : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the server has refused something for want of a consent. */
export function isConsentRefusal(code: string | null): boolean {
  return code === 'consent_required' || code === 'transfer_consent_required';
}

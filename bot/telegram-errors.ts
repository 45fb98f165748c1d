import { GrammyError, HttpError } from 'grammy';

/** Telegram could not be reached while downloading a file, outside its client. */
export class TelegramUnreachableError extends Error {
  constructor(cause: unknown) {
    super('Telegram could not be reached', { cause });
    this.name = 'TelegramUnreachableError';
  }
}

export function readRetryAfter(error: unknown): number | null {
  return error instanceof GrammyError ? (error.parameters.retry_after ?? null) : null;
}

/** Whether Telegram did not answer. Failures on our side, such as an unreadable file, do not count. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TelegramUnreachableError) return true;
  // Telegram's gateway could not reach a server behind it.
  if (error instanceof GrammyError) return error.error_code > 500;
  if (!(error instanceof HttpError)) return false;
  const { name, message } = error.error as Error;
  return name === 'FetchError' || name === 'AbortError' || /timed out/.test(message);
}

/**
 * Whether a failed call may have taken effect. Without a connection there was no request
 * (api/adapters/telegram/create-telegram-api.ts marks that).
 */
export function mayHaveHadEffect(error: unknown): boolean {
  if (error instanceof GrammyError) return error.error_code >= 500;
  if (!(error instanceof HttpError) || !isUnreachable(error)) return false;
  return !(error.error as NodeJS.ErrnoException).code?.startsWith('NOT_CONNECTED');
}

export function isChatGone(error: unknown): boolean {
  if (!(error instanceof GrammyError)) return false;
  return error.error_code === 403 || (error.error_code === 400 && /chat not found/i.test(error.description));
}

/** The loggable part of a failed call, without the payload, which is private, and the URL, which contains the token. */
export function describeTelegramError(error: unknown): { reason: string } | { err: unknown } {
  if (error instanceof GrammyError) return { reason: error.message };
  if (error instanceof HttpError) {
    const { code, message } = error.error as NodeJS.ErrnoException;
    return { reason: `${error.message} ${code ?? message ?? ''}` };
  }
  return { err: error };
}

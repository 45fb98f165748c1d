import { GrammyError, HttpError } from 'grammy';

/** Telegram could not be reached, or broke off, beside the calls of its client: at the download of a file. */
export class TelegramUnreachableError extends Error {
  constructor(cause: unknown) {
    super('Telegram could not be reached', { cause });
    this.name = 'TelegramUnreachableError';
  }
}

/** For how long Telegram has asked us to be still, in seconds; null when it has not. */
export function readRetryAfter(error: unknown): number | null {
  return error instanceof GrammyError ? (error.parameters.retry_after ?? null) : null;
}

/** Whether nobody answered. What broke on our side, such as a file that could not be read, is something else. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TelegramUnreachableError) return true;
  // A gateway of Telegram has found nobody behind it.
  if (error instanceof GrammyError) return error.error_code > 500;
  if (!(error instanceof HttpError)) return false;
  const { name, message } = error.error as Error;
  return name === 'FetchError' || name === 'AbortError' || /timed out/.test(message);
}

/**
 * Whether a failed call may have had its effect: the line broke, or the time was over, when the request may have been
 * there already; or Telegram itself failed somewhere on the way. Without a connection there was no request
 * (api/adapters/telegram/connecting-agent.ts marks that).
 */
export function mayHaveHadEffect(error: unknown): boolean {
  if (error instanceof GrammyError) return error.error_code >= 500;
  if (!(error instanceof HttpError) || !isUnreachable(error)) return false;
  return !(error.error as NodeJS.ErrnoException).code?.startsWith('NOT_CONNECTED');
}

/** Whether Telegram says that the person cannot be written to. */
export function isChatGone(error: unknown): boolean {
  if (!(error instanceof GrammyError)) return false;
  return error.error_code === 403 || (error.error_code === 400 && /chat not found/i.test(error.description));
}

/** What the log may have of a failed call: not the payload, which is somebody's, nor an address, which has the token. */
export function describeTelegramError(error: unknown): { reason: string } | { err: unknown } {
  if (error instanceof GrammyError) return { reason: error.message };
  if (error instanceof HttpError) {
    const { code, message } = error.error as NodeJS.ErrnoException;
    return { reason: `${error.message} ${code ?? message ?? ''}` };
  }
  return { err: error };
}

import { GrammyError, HttpError } from 'grammy';

/** What the log may have of a failed call: not the payload, which is somebody's, nor an address, which has the token. */
export function describeTelegramError(error: unknown): { reason: string } | { err: unknown } {
  if (error instanceof GrammyError) return { reason: error.message };
  if (error instanceof HttpError) {
    const { code, message } = error.error as NodeJS.ErrnoException;
    return { reason: `${error.message} ${code ?? message ?? ''}` };
  }
  return { err: error };
}

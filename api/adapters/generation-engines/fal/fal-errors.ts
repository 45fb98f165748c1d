import type { EngineFailure } from '#api/adapters/generation-engines/generation-engine.ts';

/** fal cannot be reached, or something between us and fal answered in its place. Nothing was started. */
export class FalUnreachableError extends Error {
  constructor(what: string, cause?: unknown) {
    super(`fal: ${what}`, { cause });
    this.name = 'FalUnreachableError';
  }
}

/** fal did not take an upload, and said why. */
export class FalRefusedError extends Error {
  readonly failure: EngineFailure;
  constructor(failure: EngineFailure) {
    super(failure.detail);
    this.name = 'FalRefusedError';
    this.failure = failure;
  }
}

/** Errors of the time before the first byte is sent: of names, of connections, of certificates. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;

/** Whether a call that failed can have had no effect. */
export function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(wasNeverSent);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return BEFORE_SENDING.test(code) || syscall === 'connect' || wasNeverSent(error.cause);
}

/** The code of the innermost error, without addresses. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, name, cause } = error as NodeJS.ErrnoException;
  return cause instanceof Error ? describeError(cause) : `${code ?? name}`;
}

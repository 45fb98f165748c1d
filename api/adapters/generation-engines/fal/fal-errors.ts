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

/** The code of the innermost error, without addresses. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, name, cause } = error as NodeJS.ErrnoException;
  return cause instanceof Error ? describeError(cause) : `${code ?? name}`;
}

import { describeRefusal, ERRORS, type ErrorBody, type ErrorCode } from '#shared/contract/errors.ts';

type Extra = Partial<Pick<ErrorBody, 'generationId' | 'retryAfter' | 'attemptsLeft' | 'fields' | 'upgradeMessage'>> & {
  message?: string;
};

/** An expected error caused by the request. The error handler turns it into an answer; nothing else does. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extra: Extra;

  constructor(code: ErrorCode, extra: Extra = {}) {
    super(extra.message ?? describeRefusal(code, extra.retryAfter));
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.extra = extra;
  }
}

import type { ErrorCode } from '#shared/contract/errors.ts';

export type PhotoRefusalCode = Extract<ErrorCode, `photo_${string}`>;

/** Why a photo is not taken, in the process that reads it. Its text is for the log. */
export class PhotoRefusal extends Error {
  override readonly name = 'PhotoRefusal';
  readonly code: PhotoRefusalCode;

  constructor(code: PhotoRefusalCode, cause?: unknown) {
    super(cause instanceof Error ? cause.message : code, { cause });
    this.code = code;
  }
}

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

/** A failed reading as a refusal with this code, unless it is one already or a system call has failed. */
export function refuse(error: unknown, code: PhotoRefusalCode): unknown {
  if (error instanceof PhotoRefusal || (error instanceof Error && 'syscall' in error)) return error;
  // Sharp's errors have no codes.
  const isPixelLimit = error instanceof Error && error.message.includes('exceeds pixel limit');
  return new PhotoRefusal(isPixelLimit ? 'photo_too_many_pixels' : code, error);
}

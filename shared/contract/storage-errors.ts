import type { ErrorCode } from './errors.ts';

/** A storage that cannot keep anything now. Whatever is answered so was not done. */
export const STORAGE_ERRORS = ['storage_full', 'storage_unavailable'] as const satisfies ErrorCode[];

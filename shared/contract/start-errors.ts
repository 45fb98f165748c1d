import type { ErrorCode } from './errors.ts';
import { STORAGE_ERRORS } from './storage-errors.ts';
import { TOOL_OBSTACLES } from './tools.ts';

/** Reasons why a generation of any kind may not start. */
export const START_ERRORS = [
  'consent_required',
  'transfer_consent_required',
  'email_not_verified',
  'photo_not_found',
  'photo_forbidden',
  'file_lost',
  'not_enough_stars',
  'price_changed',
  'active_generation',
  ...TOOL_OBSTACLES,
  ...STORAGE_ERRORS,
  'idempotency_key_reused',
  'too_many_requests',
] as const satisfies ErrorCode[];

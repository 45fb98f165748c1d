import { AppError } from '#api/platform/errors.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';

const REFUSALS = {
  photo: { unknown: 'photo_not_found', foreign: 'photo_forbidden' },
  generation: { unknown: 'generation_not_found', foreign: 'generation_forbidden' },
  video: { unknown: 'video_not_found', foreign: 'video_forbidden' },
  image: { unknown: 'image_not_found', foreign: 'image_forbidden' },
  session: { unknown: 'session_not_found', foreign: 'session_forbidden' },
  invoice: { unknown: 'invoice_not_found', foreign: 'invoice_forbidden' },
  push_device: { unknown: 'push_device_not_found', foreign: 'push_device_forbidden' },
} as const satisfies Record<string, { unknown: ErrorCode; foreign: ErrorCode }>;
/**
 * The noun in a refusal. `GET /api/status` refuses with «генерация», and `/api/video-proxy`, which looks up the same
 * row, with «видео». A function that serves several routes takes the noun as an argument.
 */
export type OwnedNoun = keyof typeof REFUSALS;

/**
 * Returns the row if it belongs to this account. Look up everything that a caller names by its id alone and pass it
 * through here, so that all refusals are the same. Throws `<noun>_not_found` for an unknown id, `<noun>_forbidden` for
 * one of another account.
 */
export function requireOwn<Row extends { accountId: number }>(
  noun: OwnedNoun,
  accountId: number,
  row: Row | null,
): Row {
  if (!row) throw new AppError(REFUSALS[noun].unknown);
  if (row.accountId !== accountId) throw new AppError(REFUSALS[noun].foreign);
  return row;
}

/** Refuses as requireOwn does for an unknown id, for a row of the caller that is no longer available. */
export function refuseUnknown(noun: OwnedNoun): never {
  throw new AppError(REFUSALS[noun].unknown);
}

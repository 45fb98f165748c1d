import { AppError } from '#api/errors.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';

/** What accounts own: how an id is answered that nobody has, and one of somebody else's. */
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
 * The word that a route has for the thing it looks up: `GET /api/status` refuses with «генерация», `/api/video-proxy`,
 * which looks up the same row, with «видео». A function that serves several routes takes the word as an argument.
 */
export type OwnedNoun = keyof typeof REFUSALS;

/**
 * The row, if it is this account's. Everything that a caller names by an id is looked up by that id alone and passed
 * through here, so that every door refuses in the same way. Throws `<noun>_not_found` for what nobody has,
 * `<noun>_forbidden` for what is somebody else's.
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

/** Throws what requireOwn throws for an id that nobody has: the row is its caller's own, but not there for it any more. */
export function refuseUnknown(noun: OwnedNoun): never {
  throw new AppError(REFUSALS[noun].unknown);
}

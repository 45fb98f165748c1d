import { AppError } from '#api/platform/errors.ts';

/**
 * The noun in a refusal. `GET /api/status` refuses with «генерация», and `/api/video-proxy`, which looks up the same
 * row, with «видео». A function that serves several routes takes the noun as an argument.
 */
export type OwnedNoun =
  | 'photo'
  | 'product'
  | 'set'
  | 'batch'
  | 'pack'
  | 'generation'
  | 'video'
  | 'image'
  | 'session'
  | 'invoice'
  | 'push_device';

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
  if (!row) throw new AppError(`${noun}_not_found`);
  if (row.accountId !== accountId) throw new AppError(`${noun}_forbidden`);
  return row;
}

/** Refuses as requireOwn does for an unknown id, for a row of the caller that is no longer available. */
export function refuseUnknown(noun: OwnedNoun): never {
  throw new AppError(`${noun}_not_found`);
}

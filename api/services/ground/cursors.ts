import { AppError } from '#api/errors.ts';
import { isUuid } from './uuid.ts';

const BAD_CURSOR = { message: 'Список изменился. Откройте его заново' };
const ID_MAX = 2 ** 31 - 1;

/** The id that a page of rows with numbers ends with. Throws AppError invalid_request. */
export function parseNumericCursor(cursor: string): bigint {
  if (!/^\d{1,18}$/.test(cursor)) throw new AppError('invalid_request', BAD_CURSOR);
  return BigInt(cursor);
}

/** The same for accounts, whose ids are smaller. Throws AppError invalid_request. */
export function parseAccountCursor(cursor: string): number {
  const id = Number(parseNumericCursor(cursor));
  if (!isAccountId(id)) throw new AppError('invalid_request', BAD_CURSOR);
  return id;
}

/** The id that a page of rows with UUIDs ends with. Throws AppError invalid_request. */
export function parseUuidCursor(cursor: string): string {
  if (!isUuid(cursor)) throw new AppError('invalid_request', BAD_CURSOR);
  return cursor;
}

/** Whether the database could have an account with this id. */
export function isAccountId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= ID_MAX;
}

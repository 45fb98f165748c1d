import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';

export const BAD_CURSOR = { message: 'Список изменился. Откройте его заново' };
const ID_MAX = 2 ** 31 - 1;

/** The rows of a page, of which one more was read, and the last of them if others follow. */
export function cutPage<Row>(rows: readonly Row[], size: number): { page: Row[]; last: Row | undefined } {
  const page = rows.slice(0, size);
  return { page, last: rows.length > size ? page.at(-1) : undefined };
}

/** A cursor over rows with numeric ids: the last id of the page before. Throws AppError invalid_request. */
export function parseNumericCursor(cursor: string): bigint {
  if (!/^\d{1,18}$/.test(cursor)) throw new AppError('invalid_request', BAD_CURSOR);
  return BigInt(cursor);
}

/** A cursor over accounts, whose ids are smaller. Throws AppError invalid_request. */
export function parseAccountCursor(cursor: string): number {
  const id = Number(parseNumericCursor(cursor));
  if (!isAccountId(id)) throw new AppError('invalid_request', BAD_CURSOR);
  return id;
}

/** A cursor over rows with UUIDs. Throws AppError invalid_request. */
export function parseUuidCursor(cursor: string): string {
  if (!isUuid(cursor)) throw new AppError('invalid_request', BAD_CURSOR);
  return cursor;
}

/** Where a row stands in a list by time, for rows whose ids say nothing of it. */
export interface TimedRow {
  createdAt: Date;
  id: string;
}

/** A cursor over rows by time: it needs no row, which may be deleted meanwhile. */
export function formatTimeCursor({ createdAt, id }: TimedRow): string {
  return `${createdAt.getTime()}.${id}`;
}

/** Reads what formatTimeCursor has written. Throws AppError invalid_request. */
export function parseTimeCursor(cursor: string): TimedRow {
  const [time = '', id = ''] = cursor.split('.');
  if (!/^\d{1,15}$/.test(time) || !isUuid(id)) throw new AppError('invalid_request', BAD_CURSOR);
  return { createdAt: new Date(Number(time)), id };
}

export function isAccountId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= ID_MAX;
}

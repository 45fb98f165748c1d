import { Prisma } from '#prisma/generated/client.ts';

/** Days in Moscow time, YYYY-MM-DD, both included. An absent side has no limit. */
export interface Period {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

const DAY_MS = 86_400_000;
/** Moscow's offset from UTC. It has been constant since before the service began. */
const MOSCOW_OFFSET_MS = 3 * 3_600_000;
/** Both the database and Date can handle these days. */
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '9998-12-31';

export function isInPeriod({ startDate = FIRST_DAY, endDate = LAST_DAY }: Period, column: string): Prisma.Sql {
  const [from, until] = [new Date(startOfDay(startDate)), new Date(startOfDay(endDate) + DAY_MS)];
  return Prisma.sql`(${Prisma.raw(column)} >= ${from}::timestamptz and ${Prisma.raw(column)} < ${until}::timestamptz)`;
}

export function dayOf(column: string): Prisma.Sql {
  return Prisma.sql`(${Prisma.raw(column)} at time zone 'UTC' + interval '3 hours')::date::text`;
}

export function addDays(date: string, days: number): string {
  return toMoscowDay(new Date(startOfDay(date) + days * DAY_MS));
}

export function toMoscowDay(moment: Date): string {
  return new Date(moment.getTime() + MOSCOW_OFFSET_MS).toISOString().slice(0, 10);
}

/** The moment at which a day begins in Moscow, in milliseconds since the epoch. */
function startOfDay(date: string): number {
  const clamped = date < FIRST_DAY ? FIRST_DAY : date > LAST_DAY ? LAST_DAY : date;
  return Date.parse(`${clamped}T00:00:00Z`) - MOSCOW_OFFSET_MS;
}

import { pluralize } from '#shared/rules/plurals.ts';

const NBSP = '\u00a0';
const LOCALE = 'ru-RU';

/** Inserts no-break spaces after short words, between numbers and units, and before dashes. */
export function nb(text: string): string {
  return text
    .replace(/(^|[\s(«])([а-яё]{1,2}|без|для|или|это|при|под|над|про|нет) /giu, `$1$2${NBSP}`)
    .replace(/(^|[\s(«])([а-яё]{1,2}) /giu, `$1$2${NBSP}`)
    .replace(/(\d) (?=[а-яё₽%\d])/giu, `$1${NBSP}`)
    .replace(/ —/g, `${NBSP}—`);
}

/** «12 345». `fractionDigits` sets the number of digits after the comma. */
export function formatNumber(value: number, fractionDigits?: number): string {
  const digits = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits };
  return new Intl.NumberFormat(LOCALE, fractionDigits === undefined ? {} : digits).format(value);
}

/** «1 990 ₽»; kopecks only where there are any. */
export function formatRubles(rubles: number): string {
  const fractionDigits = Number.isInteger(rubles) ? 0 : 2;
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: 'RUB',
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(rubles);
}

/** «1 990 ₽», or «250 Telegram Stars» for XTR. */
export function formatAmount(amount: number, currency: 'RUB' | 'XTR'): string {
  return currency === 'RUB' ? formatRubles(amount) : `${formatNumber(amount)}${NBSP}Telegram Stars`;
}

/** «21.11.2026». Like all dates that people read, in the device's zone. */
export function formatDate(date: Date | string): string {
  return new Date(date).toLocaleDateString(LOCALE);
}

/** «21 ноября 2026 г.» */
export function formatLongDate(date: Date | string): string {
  return new Date(date).toLocaleDateString(LOCALE, { dateStyle: 'long' });
}

/** «14:20» */
export function formatTime(date: Date | string): string {
  return new Date(date).toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' });
}

/** «21 ноября 2026 г. в 14:20» */
export function formatLongMoment(date: Date | string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(date));
}

/** «14:20», in Moscow time, for administrators. */
export function formatMoscowTime(date: Date | string): string {
  return new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'Europe/Moscow' }).format(new Date(date));
}

/** «сегодня, 14:20», «вчера», else the date. */
export function formatRecentDate(date: Date | string, now: Date = new Date()): string {
  const moment = new Date(date);
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / 86_400_000);
  if (days === 0) return `сегодня, ${formatTime(moment)}`;
  if (days === 1) return 'вчера';
  return formatDate(moment);
}

/** «Сегодня», «Вчера», «21 ноября», with the year when it is not this one. */
export function formatDay(date: Date | string, now: Date = new Date()): string {
  const moment = new Date(date);
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / 86_400_000);
  if (days === 0) return 'Сегодня';
  if (days === 1) return 'Вчера';
  const year = moment.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return moment.toLocaleDateString(LOCALE, { day: 'numeric', month: 'long', ...year });
}

const BYTE_UNITS = ['Б', 'КБ', 'МБ', 'ГБ'];

/** «2,4 МБ», «3 ГБ» */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), BYTE_UNITS.length - 1);
  const digits = { maximumFractionDigits: power < 2 ? 0 : 1 };
  return `${new Intl.NumberFormat(LOCALE, digits).format(bytes / 1024 ** power)}${NBSP}${BYTE_UNITS[power]}`;
}

/** Seconds as a clock: «0:05», «12:03». */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Seconds in words: «45 с», «3 мин», «4 мин 52 с». */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const parts = [minutes > 0 ? `${minutes}${NBSP}мин` : '', rest > 0 || minutes === 0 ? `${rest}${NBSP}с` : ''];
  return parts.filter(Boolean).join(' ');
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Milliseconds since 1970 as «14:05», or «20 ноя, 14:05» for another day. */
export function formatMoment(moment: number, now = new Date()): string {
  const date = new Date(moment);
  const isToday = date.toDateString() === now.toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return date.toLocaleString(LOCALE, { ...day, hour: '2-digit', minute: '2-digit' });
}

/** «1 результат», «2 результата» */
export function countResults(count: number): string {
  return `${count} ${pluralize(count, ['результат', 'результата', 'результатов'])}`;
}

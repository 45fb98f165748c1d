import { toShownEmail } from '#api/services/accounts/email-address.ts';
import type { UsualWait } from '#shared/rules/tools.ts';
import { describeLate, judgeWait } from '#shared/rules/waiting-time.ts';

const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'Europe/Moscow' });

/** «, обычно около 20 с» or the longest remaining time. `guess`: for work without earlier runs. */
export function describeWait(expectedSeconds: number | null, elapsedSeconds: number, guess: UsualWait | null): string {
  const seconds = expectedSeconds ?? guess?.seconds;
  if (seconds === undefined) return '';
  const wait = judgeWait(seconds, elapsedSeconds);
  if (wait.kind === 'late') return `. ${describeLate(wait.minutesLeft)}`;
  return expectedSeconds === null && guess ? `. ${guess.text}` : `, обычно около ${formatSeconds(wait.seconds)}`;
}

/** «1 мин 5 с» */
export function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} мин ${Math.round(seconds % 60)} с` : `${Math.round(seconds)} с`;
}

/** «al…@mail.ru»: enough for its owner to recognise it. */
export function maskEmail(email: string | null): string {
  const [name = '', domain = ''] = toShownEmail(email ?? '').split('@');
  return `${name.slice(0, 2)}…@${domain}`;
}

/** «21 ноября 2026», without «г.», whose full stop would stand next to the sentence's. */
export function formatDay(date: Date): string {
  return DAY.format(date).replace(/\s*г\.$/, '');
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const BAR_LENGTH = 10;

/** «▓▓▓▓▓░░░░░ 50 %» */
export function drawBar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_LENGTH);
  return `${'▓'.repeat(full)}${'░'.repeat(BAR_LENGTH - full)} ${Math.round(share * 100)} %`;
}

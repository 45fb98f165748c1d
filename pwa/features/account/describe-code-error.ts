import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** The number of tries left is shown from this one on. */
const COUNTED_TRIES = 3;

/** Why a mailed code was refused, and how many tries are left when there are few. */
export function describeCodeError(error: unknown): string {
  const text = describeRefusedCode(error);
  const hint = describeTriesLeft(error);
  return hint === null ? text : nb(`${text}. ${hint}`);
}

/** Why a mailed code was refused, without the tries left. */
export function describeRefusedCode(error: unknown): string {
  return describeError(error, 'Неверный код подтверждения');
}

/** How many tries a refused code leaves; null when there are many or it is not known. */
export function describeTriesLeft(error: unknown): string | null {
  const left = error instanceof ApiError ? error.details.attemptsLeft : undefined;
  if (left === undefined || left > COUNTED_TRIES) return null;
  if (left === 0) return nb('Попыток больше нет: запросите новый код');
  const [verb, noun] = [
    pluralize(left, ['Осталась', 'Осталось', 'Осталось']),
    pluralize(left, ['попытка', 'попытки', 'попыток']),
  ];
  return nb(`${verb} ${left} ${noun}`);
}

/** Whether the server has refused this code: sending it again would only use up another try. */
export function isCodeRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invalid_code' || error.code === 'code_expired');
}

import { describeRoughTime, describeUsualWait } from '#pwa/features/generations/waiting-time.ts';
import { nb } from '#pwa/lib/format.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** What the machine is doing, as far as the share of the work tells. */
export function describeStage(share: number | null): string {
  return share === null || share === 0 ? 'Готовим фото' : 'Собираем кадр';
}

/** The waiting line; null before the server's first answer, which would take back whatever was said. */
export function describeWait(progress: Progress | null, elapsedSeconds: number): string | null {
  return progress && describeUsualWait(progress.expectedSeconds, elapsedSeconds, TOOLS.model_change.usualWait);
}

/** «Готово за 48 секунд» */
export function describeTook(seconds: number): string {
  return nb(`Готово за ${describeRoughTime(seconds, ['секунду', 'секунды', 'секунд'])}`);
}

/** «1 звезда, осталось 13 звёзд»; without the rest while the balance is unknown. */
export function describeSpent(spent: number, balance: number | null): string {
  if (balance === null) return countStars(spent);
  return `${countStars(spent)}, ${pluralize(balance, ['осталась', 'остались', 'осталось'])} ${countStars(balance)}`;
}

/** The server's words for a failure, and once, by them or by us, that the star is back. */
export function describeFailure(message: string, isRefunded: boolean): string {
  const saysSo = /зв[её]зд/i.test(message);
  return nb(isRefunded && !saysSo ? `${message.replace(/\.?$/, '.')} Звезда возвращена.` : message);
}

export interface ResultChoice {
  modelName: string | null;
  /** Whether the photo's own background was asked for. */
  keepsBackground: boolean;
}

/** The heading over a result: what has really changed. */
export function titleResult(isModelReplaced: boolean | null, { keepsBackground }: ResultChoice): string {
  if (isModelReplaced) return nb('Вещь на новой модели');
  if (isModelReplaced === null) return 'Результат готов';
  return keepsBackground ? 'Фон сохранён' : 'Новый фон готов';
}

/** The honest line of the time when a model was asked for though none was put in; null where there is nothing to admit. */
export function describeKeptPerson(
  isModelReplaced: boolean | null,
  { modelName, keepsBackground }: ResultChoice,
): string | null {
  if (isModelReplaced !== false || modelName === null) return null;
  const changed = keepsBackground ? '' : ', сменился только фон';
  return nb(
    `Другого человека демонстрационный движок подставить не может: на фото осталось то, что было${changed}. Модель «${modelName}» — образец для генеративного движка, дополнительно за неё ничего не списано.`,
  );
}

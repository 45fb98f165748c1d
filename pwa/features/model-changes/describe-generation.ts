import { nameRemoteStage } from '#pwa/features/generations/remote-stages.tsx';
import { describeRoughTime } from '#pwa/features/generations/waiting-time.ts';
import { nb } from '#pwa/format.ts';
import type { Progress } from '#shared/contract/progress.ts';
import type { GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';

/** The stage of the work. That of the local engine is guessed from its progress. */
export function describeStage(status: GenerationStatus, progress: Progress | null): string {
  const share = progress?.share ?? null;
  if (progress?.isRemote) return nameRemoteStage({ status, share });
  return share === null || share === 0 ? 'Готовим фото' : 'Собираем кадр';
}

/** «Готово за 48 секунд» */
export function describeTook(seconds: number): string {
  return nb(`Готово за ${describeRoughTime(seconds, ['секунду', 'секунды', 'секунд'])}`);
}

/** «1 звезда, осталось 13 звёзд». Without the second part while the balance is unknown. */
export function describeSpent(spent: number, balance: number | null): string {
  if (balance === null) return countStars(spent);
  return `${countStars(spent)}, ${pluralize(balance, ['осталась', 'остались', 'осталось'])} ${countStars(balance)}`;
}

/** The heading of a result: what has really changed. */
export function titleResult(isModelReplaced: boolean | null): string {
  if (isModelReplaced === null) return 'Результат готов';
  return isModelReplaced ? nb('Вещь на новой модели') : 'Новый фон готов';
}

/** `change-model-result-1795000000000.jpg`, the name in the specification. */
export function nameResultFile(timestampMs: number): string {
  return `change-model-result-${timestampMs}.jpg`;
}

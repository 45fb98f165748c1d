import type { GarmentDrift } from '#shared/contract/garment-checks.ts';
import { RESULT_WORDS, type ResultKind } from '#shared/rules/tools.ts';

const DRIFT_NAMES: Record<GarmentDrift, string> = { colour: 'цвет', print: 'принт' };

/** What the bot says about garments that have drifted, and about making them again. */
export const DRIFT_MESSAGES = {
  /** `frames`: which of several have drifted, from 0. Empty for a tool that makes one file. */
  drift: (found: {
    made: ResultKind;
    drifts: readonly GarmentDrift[];
    frames: readonly number[];
    isRerollOffered: boolean;
  }) =>
    [
      `${RESULT_WORDS[found.made].name}. Проверьте ${found.drifts.map((drift) => DRIFT_NAMES[drift]).join(' и ')}: похоже, на результате не так, как на вашем фото.`,
      'Слева — фото, справа — результат.',
      ...(found.frames.length > 0 ? [`Кадры: ${found.frames.map((frame) => frame + 1).join(', ')}.`] : []),
      ...(found.isRerollOffered ? ['Если это так, переделаем бесплатно, один раз.'] : []),
    ].join('\n'),
  rerollRuns: 'Уже переделываем. Результат будет здесь и в галерее.',
  rerollUsed: 'Бесплатная переделка уже была.',
};

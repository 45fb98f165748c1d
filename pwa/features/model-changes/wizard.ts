import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';

/** All there are, in their order. */
export const WIZARD_STEPS = ['photo', 'model', 'background', 'generation'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

/** The steps of the way that is gone here: nobody is chosen where nobody is put in. */
export type WizardWay = readonly WizardStep[];

export const WIZARD_WAYS: Record<Change, WizardWay> = {
  model_change: WIZARD_STEPS,
  background_change: WIZARD_STEPS.filter((step) => step !== 'model'),
};

/** What the person has chosen so far. One photo and one model at most: a new pick replaces the old. */
export interface WizardDraft {
  photo: UploadedPhoto | null;
  modelId: string | null;
  backgroundId: string | null;
}

export const EMPTY_DRAFT: WizardDraft = { photo: null, modelId: null, backgroundId: null };

export const STEP_NAMES: Record<WizardStep, string> = {
  photo: 'Фото',
  model: 'Модель',
  background: 'Фон',
  generation: 'Генерация',
};

/** What the button says instead of «Далее» while a step has no selection. */
export const STEP_GAPS: Record<WizardStep, string> = {
  photo: 'Сначала загрузите фото',
  model: 'Сначала выберите модель',
  background: 'Сначала выберите фон',
  generation: '',
};

/** Whether a step has its selection; the last one has nothing to select. */
export function isStepComplete(step: WizardStep, draft: WizardDraft): boolean {
  switch (step) {
    case 'photo':
      return draft.photo !== null;
    case 'model':
      return draft.modelId !== null;
    case 'background':
      return draft.backgroundId !== null;
    case 'generation':
      return false;
  }
}

/** Whether a tab can be pressed: the current step, an earlier one, or the next one once this one is complete. */
export function canOpenStep(way: WizardWay, target: WizardStep, current: WizardStep, draft: WizardDraft): boolean {
  const distance = way.indexOf(target) - way.indexOf(current);
  return distance <= 0 || (distance === 1 && isStepComplete(current, draft));
}

/** The choices with the gaps filled from others: no choice is ever replaced. */
export function fillGaps(draft: WizardDraft, others: WizardDraft): WizardDraft {
  return {
    photo: draft.photo ?? others.photo,
    modelId: draft.modelId ?? others.modelId,
    backgroundId: draft.backgroundId ?? others.backgroundId,
  };
}

/**
 * Whether these choices may be the ones that a request was made of. The photo has to be the same. A model or a background
 * that the request does not name is not compared.
 */
export function isMadeOf(draft: WizardDraft, request: WizardDraft): boolean {
  return (
    request.photo !== null &&
    request.photo.id === draft.photo?.id &&
    (request.modelId === null || request.modelId === draft.modelId) &&
    (request.backgroundId === null || request.backgroundId === draft.backgroundId)
  );
}

/** The step, or the next one where it is not on the way, though it may have been on an earlier visit. */
export function reachStep(way: WizardWay, wanted: WizardStep): WizardStep {
  return way.find((step) => WIZARD_STEPS.indexOf(step) >= WIZARD_STEPS.indexOf(wanted)) ?? wanted;
}

/** The first step that lacks its selection, at most `wanted`: a restored draft may have lost one. */
export function clampStep(way: WizardWay, wanted: WizardStep, draft: WizardDraft): WizardStep {
  const last = reachStep(way, wanted);
  return way.find((step) => step === last || !isStepComplete(step, draft)) ?? last;
}

/** The step after or before this one, or null at the ends. */
export function neighbourStep(way: WizardWay, step: WizardStep, offset: 1 | -1): WizardStep | null {
  return way[way.indexOf(step) + offset] ?? null;
}

import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';

export const WIZARD_STEPS = ['photo', 'model', 'background', 'generation'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

/** The steps of a wizard. The last one starts the generation and shows it. */
export type WizardWay = readonly [...WizardStep[], WizardStep];

/** A change of background has nothing to review: its background is chosen and started on one step. */
export const WIZARD_WAYS: Record<Change, WizardWay> = {
  model_change: WIZARD_STEPS,
  background_change: ['photo', 'background'],
};

export function isLastStep(way: WizardWay, step: WizardStep): boolean {
  return step === way.at(-1);
}

/** The choices so far. At most one photo and one model: a new choice replaces the old one. */
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

const STEP_GAPS: Record<WizardStep, string | null> = {
  photo: 'Сначала загрузите фото',
  model: 'Сначала выберите модель',
  background: 'Сначала выберите фон',
  generation: null,
};

/** What has to be chosen before the person can go on from a step; null when it has its choice. */
export function findGap(step: WizardStep, draft: WizardDraft): string | null {
  return isStepComplete(step, draft) ? null : STEP_GAPS[step];
}

/** Whether a step has its choice. The step «generation» has nothing to choose. */
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

/** Whether a step can be opened: the current one, an earlier one, or a later one once all before it are complete. */
export function canOpenStep(way: WizardWay, target: WizardStep, current: WizardStep, draft: WizardDraft): boolean {
  const place = way.indexOf(target);
  return place <= way.indexOf(current) || way.slice(0, place).every((step) => isStepComplete(step, draft));
}

/** Fills missing choices from `others` and never replaces one. */
export function fillGaps(draft: WizardDraft, others: WizardDraft): WizardDraft {
  return {
    photo: draft.photo ?? others.photo,
    modelId: draft.modelId ?? others.modelId,
    backgroundId: draft.backgroundId ?? others.backgroundId,
  };
}

/** What is tried again after a failure: these choices, unless they have another photo than what has failed. */
export function chooseAgain(draft: WizardDraft, failed: WizardDraft | undefined): WizardDraft {
  return failed && failed.photo?.id !== draft.photo?.id ? fillGaps(failed, draft) : draft;
}

/**
 * Whether a request may have been made from these choices. The photo must be the same. A model or background that the
 * request does not name is not compared.
 */
export function isMadeOf(draft: WizardDraft, request: WizardDraft): boolean {
  return (
    request.photo !== null &&
    request.photo.id === draft.photo?.id &&
    (request.modelId === null || request.modelId === draft.modelId) &&
    (request.backgroundId === null || request.backgroundId === draft.backgroundId)
  );
}

/** The wanted step, or the next one that this wizard has, or its last: an earlier visit may have had others. */
export function reachStep(way: WizardWay, wanted: WizardStep): WizardStep {
  const place = WIZARD_STEPS.indexOf(wanted);
  return way.find((step) => WIZARD_STEPS.indexOf(step) >= place) ?? way[way.length - 1] ?? wanted;
}

/** The one of two steps that comes later. */
export function laterStep(one: WizardStep, other: WizardStep): WizardStep {
  return WIZARD_STEPS.indexOf(one) > WIZARD_STEPS.indexOf(other) ? one : other;
}

/** The first step without its choice, at most `wanted`: a restored draft may have lost a choice. */
export function clampStep(way: WizardWay, wanted: WizardStep, draft: WizardDraft): WizardStep {
  const last = reachStep(way, wanted);
  return way.find((step) => step === last || !isStepComplete(step, draft)) ?? last;
}

/**
 * Where «Далее» leads: to the next step that lacks its choice or starts, so that kept settings need no presses. Null at
 * the end.
 */
export function nextStep(way: WizardWay, step: WizardStep, draft: WizardDraft): WizardStep | null {
  const rest = way.slice(way.indexOf(step) + 1);
  return rest.find((later) => isLastStep(way, later) || !isStepComplete(later, draft)) ?? null;
}

/** The step before this one. Null at the beginning. */
export function previousStep(way: WizardWay, step: WizardStep): WizardStep | null {
  return way[way.indexOf(step) - 1] ?? null;
}

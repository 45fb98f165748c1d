import { describe, expect, it } from 'vitest';
import {
  canOpenStep,
  clampStep,
  EMPTY_DRAFT,
  fillGaps,
  findGap,
  isLastStep,
  isMadeOf,
  isStepComplete,
  nextStep,
  previousStep,
  reachStep,
  WIZARD_STEPS,
  WIZARD_WAYS,
  type WizardDraft,
  type WizardStep,
} from '#pwa/features/model-changes/wizard.ts';
import { PHOTO as photo } from '#tests/pwa/support/samples.ts';

const full: WizardDraft = { photo, modelId: 'w5', backgroundId: 'arches' };
const { model_change: four, background_change: two } = WIZARD_WAYS;
const openFrom = (current: WizardStep, draft: WizardDraft, way = four) =>
  way.filter((step) => canOpenStep(way, step, current, draft));

describe('the tabs of the wizard', () => {
  it('let only the current step be opened while it has no selection', () => {
    expect(openFrom('photo', EMPTY_DRAFT)).toEqual(['photo']);
    expect(openFrom('background', { ...full, backgroundId: null })).toEqual(['photo', 'model', 'background']);
  });

  it('let earlier steps be opened, and later ones as far as all before them are complete', () => {
    expect(openFrom('photo', { ...EMPTY_DRAFT, photo })).toEqual(['photo', 'model']);
    expect(openFrom('photo', { ...full, backgroundId: null })).toEqual(['photo', 'model', 'background']);
    expect(openFrom('photo', { ...full, photo: null })).toEqual(['photo']);
    expect(openFrom('photo', full)).toEqual([...WIZARD_STEPS]);
    expect(openFrom('generation', full)).toEqual([...WIZARD_STEPS]);
  });
});

describe('a step of the wizard', () => {
  it('is complete with its own selection', () => {
    expect(isStepComplete('photo', { ...EMPTY_DRAFT, photo })).toBe(true);
    expect(isStepComplete('model', { ...EMPTY_DRAFT, photo })).toBe(false);
    expect(isStepComplete('generation', full)).toBe(false);
  });

  it('leads on to the next one that lacks its choice, and back to the one before', () => {
    expect(nextStep(four, 'photo', { ...EMPTY_DRAFT, photo })).toBe('model');
    expect(nextStep(four, 'photo', { ...full, backgroundId: null })).toBe('background');
    expect(nextStep(four, 'photo', full)).toBe('generation');
    expect(nextStep(four, 'generation', full)).toBeNull();
    expect(previousStep(four, 'background')).toBe('model');
    expect(previousStep(four, 'photo')).toBeNull();
  });

  it('is restored no further than the first selection that is missing', () => {
    expect(clampStep(four, 'generation', full)).toBe('generation');
    expect(clampStep(four, 'generation', { ...full, modelId: null })).toBe('model');
    expect(clampStep(four, 'model', { ...full, backgroundId: null })).toBe('model');
    expect(clampStep(four, 'background', { ...full, photo: null })).toBe('photo');
  });
});

describe('the way without a model', () => {
  const chosen = { ...full, modelId: null };

  it('has two steps, and the second starts the generation', () => {
    expect(two).toEqual(['photo', 'background']);
    expect(nextStep(two, 'photo', { ...chosen, backgroundId: null })).toBe('background');
    expect(nextStep(two, 'photo', chosen)).toBe('background');
    expect(nextStep(two, 'background', chosen)).toBeNull();
    expect(openFrom('photo', chosen, two)).toEqual(['photo', 'background']);
    expect(two.filter((step) => isLastStep(two, step))).toEqual(['background']);
    expect(four.filter((step) => isLastStep(four, step))).toEqual(['generation']);
  });

  it('goes on from a draft of the longer one, whose steps it does not have', () => {
    for (const step of ['model', 'background', 'generation'] as const) {
      expect(reachStep(two, step)).toBe('background');
      expect(clampStep(two, step, full)).toBe('background');
      expect(clampStep(two, step, EMPTY_DRAFT)).toBe('photo');
    }
  });

  it('says what is missing before a start', () => {
    expect(findGap('background', { ...chosen, backgroundId: null })).toBe('Сначала выберите фон');
    expect(findGap('background', chosen)).toBeNull();
    expect(findGap('generation', full)).toBeNull();
  });

  it('leads a draft without a model to that step where there is one again', () => {
    expect(clampStep(four, 'generation', chosen)).toBe('model');
  });
});

describe('a request that was started elsewhere', () => {
  const other = { ...photo, id: 'p2' };

  it('never takes the place of a choice, and fills what is not chosen', () => {
    expect(fillGaps(full, EMPTY_DRAFT)).toEqual(full);
    expect(fillGaps(full, { photo: other, modelId: 'm1', backgroundId: 'white' })).toEqual(full);
    expect(fillGaps(EMPTY_DRAFT, { ...EMPTY_DRAFT, photo: other })).toEqual({ ...EMPTY_DRAFT, photo: other });
  });

  it('is not taken for one that was made of these choices', () => {
    expect(isMadeOf(full, full)).toBe(true);
    expect(isMadeOf(full, { ...EMPTY_DRAFT, photo })).toBe(true);
    expect(isMadeOf(full, EMPTY_DRAFT)).toBe(false);
    expect(isMadeOf(full, { ...full, photo: other })).toBe(false);
    expect(isMadeOf(full, { ...full, modelId: 'm1' })).toBe(false);
    expect(isMadeOf(full, { ...full, backgroundId: 'white' })).toBe(false);
    expect(isMadeOf(EMPTY_DRAFT, EMPTY_DRAFT)).toBe(false);
  });
});

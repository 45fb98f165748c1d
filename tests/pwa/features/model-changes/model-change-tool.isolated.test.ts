import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { explainFailure } from '#pwa/features/generations/describe-failure.ts';
import type { Followed } from '#pwa/features/generations/followed-generation.ts';
import { findResult } from '#pwa/features/model-changes/find-result.ts';
import {
  createModelChangeTool,
  type FollowedChange,
  type ModelChangeView,
  readEarlyEnd,
} from '#pwa/features/model-changes/model-change-tool.ts';
import type { WizardDraft } from '#pwa/features/model-changes/wizard.ts';
import { PHOTO, sampleGeneration, sampleResult } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';

const USER = 1000;
const START = 1_795_000_000_000;
const buyStars = vi.fn();
const tool = createModelChangeTool('background_change', buyStars);
beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(() => storedValues.clear());

const followed: FollowedChange = {
  generationId: 'r1',
  origin: 'start',
  step: 'pending',
  status: 'pending',
  startedAt: START,
  pollCount: 0,
  lastPollAt: null,
  isAsking: false,
  failuresInARow: 0,
  lastFailure: null,
  errors: [],
  progress: null,
  view: null,
  early: null,
  subject: { photo: PHOTO, modelId: 'w5', backgroundId: 'arches' },
};
const completed = sampleGeneration('model_change', {
  status: 'completed',
  settings: { modelId: 'w5', backgroundId: 'arches', isModelReplaced: false },
  progress: {
    share: 1,
    startedAt: '2026-11-21T09:00:00.000Z',
    finishedAt: '2026-11-21T09:00:48.000Z',
    expectedSeconds: null,
    isRemote: false,
  },
  results: [sampleResult({ id: 'i1' })],
});
const ended = { ...followed, status: 'completed', step: 'completed' } as const;

describe('the device’s record of a change of model', () => {
  const asFollowed = (subject: WizardDraft): Followed<WizardDraft> => ({ ...followed, subject, view: null });

  it('has the request’s id, the selected models, the background and a timestamp, and brings them back', async () => {
    const stored = tool.record.encode(asFollowed(followed.subject), START + 5);
    expect(stored).toMatchObject({
      changeModelRequestId: 'r1',
      changeModelData: { selectedModels: ['w5'], selectedBackground: 'arches', timestamp: START },
    });
    await tool.record.write(USER, stored);
    const { subject } = followed;
    expect(await tool.record.read(USER)).toEqual({ generationId: 'r1', subject, startedAt: START });
  });

  it('keeps a request whose selection only the server knows', async () => {
    const subject = { photo: null, modelId: null, backgroundId: null };
    await tool.record.write(USER, tool.record.encode(asFollowed(subject), START));
    expect(await tool.record.read(USER)).toMatchObject({ subject });
  });

  const data = { selectedModels: ['w5'], selectedBackground: 'arches', photo: null, timestamp: START };
  it.each([
    ['text', 'undefined'],
    ['another shape', { models: ['w5'] }],
    ['two models', { ...data, selectedModels: ['w5', 'm1'] }],
    ['no time', { ...data, timestamp: 'вчера' }],
    ['a half', undefined],
  ])('is removed when it is corrupt: %s', async (_, value) => {
    await storedValues.set(`podium/1/${USER}/changeModelRequestId`, 'r1');
    if (value !== undefined) await storedValues.set(`podium/1/${USER}/changeModelData`, value);
    expect(await tool.record.read(USER)).toBeNull();
    expect(await storedValues.read()).toEqual(new Map());
  });
});

describe('the result of a change of model', () => {
  it('comes with its time, price and what was really replaced', () => {
    expect(findResult({ ...ended, view: completed })).toEqual({
      afterUrl: '/api/images/i1',
      beforeUrl: PHOTO.previewUrl,
      imageId: 'i1',
      isModelReplaced: false,
      starsSpent: 1,
      tookSeconds: 48,
    });
  });

  it('may come with the start, even when its details cannot be asked', () => {
    const early = { status: 'completed', url: '/result.jpg', starsSpent: 1 } as const;
    expect(findResult({ ...ended, early })).toMatchObject({
      afterUrl: '/result.jpg',
      beforeUrl: PHOTO.previewUrl,
      isModelReplaced: null,
    });
  });

  it('is missing until it has ended, and when it has no picture', () => {
    expect(findResult({ ...followed, view: { ...completed, status: 'generating' } })).toBeNull();
    expect(findResult({ ...ended, view: { ...completed, results: [] } })).toBeNull();
  });
});

it('a failure has the server’s reason, or the fixed words without one, and the stars that are back', () => {
  const failed = { ...followed, status: 'failed', step: 'failed' } as const;
  const failure = { code: 'photo_unsuitable', message: 'Отказано' } as const;
  const view: ModelChangeView = { ...completed, status: 'failed', results: [], starsSpent: 0, failure };
  expect(explainFailure({ ...failed, view }, 1, 'Ошибка')).toBe('Отказано. 1\u00a0звезда возвращена.');
  const early = { status: 'failed', url: null, starsSpent: 1 } as const;
  expect(explainFailure({ ...failed, early }, 1, 'Ошибка')).toBe('Ошибка');
  expect(explainFailure({ ...failed, early: { ...early, starsSpent: 0 } }, 1, 'Ошибка')).toContain('возвращена');
});

it('the answer of a start may bring its end along', () => {
  const answer = { request_id: 'r1', result_url: '/result.jpg', stars_spent: 1, current_star_balance: 13 };
  expect(readEarlyEnd({ ...answer, status: 'QUEUED' })).toBeNull();
  expect(readEarlyEnd({ ...answer, status: 'COMPLETED' })).toEqual({
    status: 'completed',
    url: '/result.jpg',
    starsSpent: 1,
  });
  expect(readEarlyEnd({ ...answer, status: 'FAILED' })?.status).toBe('failed');
});

describe('a refused start', () => {
  it('for want of stars offers to buy them, in the words for what is made', () => {
    const toast = tool.describeRefusedStart?.(new ApiError(402, 'x', { code: 'not_enough_stars', message: 'Нет' }));
    expect(toast).toMatchObject({
      title: 'Недостаточно звезд',
      description: 'Для смены фона требуется 1 звезда. Пополните баланс в настройках.',
    });
    toast?.action?.onSelect();
    expect(buyStars).toHaveBeenCalledOnce();
  });

  it('of a paid background is explained by the offer to buy it', () => {
    expect(
      tool.describeRefusedStart?.(new ApiError(403, 'x', { code: 'premium_background', message: 'Нет' })),
    ).toBeNull();
    expect(tool.describeRefusedStart?.(new ApiError(500, 'x'))).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import {
  type ModelChangeStatus,
  type StartedModelChange,
  viewGeneration,
} from '#pwa/features/model-changes/model-change-status.ts';
import { ApiError } from '#pwa/lib/api-error.ts';

const queued: ModelChangeStatus = {
  status: 'QUEUED',
  request_id: 'r1',
  result_url: null,
  original_url: null,
  has_watermark: true,
  is_optimized: false,
  stars_spent: 0,
  current_star_balance: 13,
  error: null,
  code: null,
  progress: { share: 0.4, startedAt: '2026-11-21T09:00:00.000Z', finishedAt: null, expectedSeconds: 50 },
  image_id: null,
  is_model_replaced: false,
  model_id: 'w5',
  background_id: 'arches',
};
const completed: ModelChangeStatus = {
  ...queued,
  status: 'COMPLETED',
  result_url: '/media/results/g1/0/poster',
  original_url: '/media/photos/p1/preview',
  stars_spent: 1,
  image_id: 'i1',
  progress: { ...queued.progress, share: 1, finishedAt: '2026-11-21T09:00:48.000Z' },
};
const started: StartedModelChange = {
  status: 'COMPLETED',
  request_id: 'r1',
  result_url: '/result.jpg',
  stars_spent: 1,
  current_star_balance: 13,
};
const nothing = { status: null, error: null, started: null, photoUrl: null };

describe('what the page shows of a change of model', () => {
  it('is its progress, and that the server cannot be reached', () => {
    expect(viewGeneration({ ...nothing, status: queued })).toEqual({
      kind: 'running',
      progress: queued.progress,
      isUnreachable: false,
    });
    expect(viewGeneration({ ...nothing, status: queued, error: new ApiError(502, 'x') })).toMatchObject({
      kind: 'running',
      isUnreachable: true,
    });
  });

  it('is the result with its time, price and what was really replaced', () => {
    expect(viewGeneration({ ...nothing, status: completed })).toEqual({
      kind: 'completed',
      result: {
        afterUrl: completed.result_url,
        beforeUrl: completed.original_url,
        imageId: 'i1',
        hasWatermark: true,
        isModelReplaced: false,
        starsSpent: 1,
        balance: 13,
        tookSeconds: 48,
      },
    });
  });

  it('is the device’s own photo beside a result whose original the server does not name', () => {
    const view = viewGeneration({ ...nothing, status: { ...completed, original_url: null }, photoUrl: '/mine' });
    expect(view).toMatchObject({ result: { beforeUrl: '/mine' } });
  });

  it('is the result that came with the start, even when its details cannot be asked', () => {
    const view = viewGeneration({ ...nothing, started, error: new ApiError(503, 'x') });
    expect(view).toMatchObject({ kind: 'completed', result: { afterUrl: '/result.jpg', isModelReplaced: null } });
  });

  it('is that the result is missing when a completed change has no picture', () => {
    expect(viewGeneration({ ...nothing, status: { ...completed, result_url: null } })).toEqual({
      kind: 'result_missing',
    });
    const bare = { ...started, result_url: null };
    expect(viewGeneration({ ...nothing, started: bare }).kind).toBe('running');
    expect(viewGeneration({ ...nothing, started: bare, error: new ApiError(503, 'x') }).kind).toBe('result_missing');
  });

  it('is the server’s reason of a failure, or the fixed words without one', () => {
    const failed: ModelChangeStatus = { ...queued, status: 'FAILED', error: 'Не вышло', code: 'photo_unsuitable' };
    expect(viewGeneration({ ...nothing, status: failed })).toEqual({
      kind: 'failed',
      message: 'Не вышло',
      code: 'photo_unsuitable',
      isRefunded: true,
    });
    expect(viewGeneration({ ...nothing, status: { ...failed, error: null, stars_spent: 1 } })).toMatchObject({
      message: 'Произошла ошибка при генерации',
      isRefunded: false,
    });
  });
});

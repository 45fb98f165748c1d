import { describe, expect, it } from 'vitest';
import {
  type FollowedRequest,
  selectedData,
  toFollowedRequest,
  toSelectedData,
} from '#pwa/features/model-changes/saved-model-change.ts';

const request: FollowedRequest = {
  requestId: 'r1',
  photo: null,
  modelId: 'w5',
  backgroundId: 'keep_original',
  startedAt: 1_795_000_000_000,
};

describe('the device’s record of a change of model', () => {
  it('has the selected models, the background and a timestamp, and brings the request back', () => {
    const stored = toSelectedData(request);
    expect(stored).toMatchObject({
      selectedModels: ['w5'],
      selectedBackground: 'keep_original',
      timestamp: 1_795_000_000_000,
    });
    expect(toFollowedRequest('r1', selectedData.parse(stored))).toEqual(request);
  });

  it('keeps a request whose selection only the server knows', () => {
    const found = { ...request, modelId: null, backgroundId: null };
    expect(toFollowedRequest('r1', selectedData.parse(toSelectedData(found)))).toEqual(found);
  });

  it.each([
    ['text', 'undefined'],
    ['another shape', { models: ['w5'] }],
    ['two models', { ...toSelectedData(request), selectedModels: ['w5', 'm1'] }],
    ['no time', { ...toSelectedData(request), timestamp: 'вчера' }],
  ])('is refused when it is corrupt: %s', (_, value) => {
    expect(selectedData.safeParse(value).success).toBe(false);
  });
});

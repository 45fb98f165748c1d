import { describe, expect, it } from 'vitest';
import { fromSavedGeneration, toSavedGeneration } from '#pwa/features/videos/saved-generation.ts';
import { advanceTracking, beginTracking } from '#pwa/features/videos/tracking.ts';

const START = 1_795_000_000_000;
const photo = {
  id: 'p1',
  name: 'palto.jpg',
  width: 1200,
  height: 1600,
  size: 2_500_000,
  type: 'image/jpeg',
  previewUrl: '/media/photos/p1/preview.webp',
  thumbnailUrl: '/media/photos/p1/thumbnail.webp',
};
const form = { preset: 'walk', duration: 10, aspectRatio: '9:16' } as const;
const followed = advanceTracking(
  beginTracking(
    {
      generationId: 'g1',
      subject: { photo, thumbnailUrl: photo.thumbnailUrl, form },
      startedAt: START,
      status: 'generating',
    },
    START,
  ),
  { type: 'poll_failed', at: START + 7, failure: { kind: 'network', message: 'Ошибка опроса статуса' } },
);

describe('the device’s record of a generation', () => {
  it('has every field of the specification', () => {
    expect(toSavedGeneration(followed, START + 9)).toMatchObject({
      generationId: 'g1',
      isGenerating: true,
      conversionStep: 'pending',
      videoSettings: { duration: 10, cfgScale: 0.5, preset: 'walk', prompt: 'Walking on a fashion runway' },
      timestamp: START + 9,
      imageUrl: photo.previewUrl,
      fileId: 'p1',
      imageDimensions: { width: 1200, height: 1600 },
      startTime: START,
      lastPollTime: START + 7,
      pollCount: 1,
      errors: ['Ошибка опроса статуса'],
      retryCount: 1,
      version: 1,
      status: 'generating',
    });
  });

  it('brings back the photo, the settings and the tracking after a reload', () => {
    const restored = fromSavedGeneration(toSavedGeneration(followed, START + 9), START + 60_000);
    expect(restored).toMatchObject({
      generationId: 'g1',
      startedAt: START,
      status: 'generating',
      pollCount: 1,
      subject: { photo, form },
    });
  });

  it('is asked about at once and with fresh patience, whatever state it was left in', () => {
    const restored = fromSavedGeneration(
      { ...toSavedGeneration(followed, START), conversionStep: 'error' },
      START + 60_000,
    );
    expect(restored).toMatchObject({ step: 'generating', nextPollAt: START + 60_000, failuresInARow: 0 });
  });
});

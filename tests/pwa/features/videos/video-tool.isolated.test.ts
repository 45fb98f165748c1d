import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeFollowed } from '#pwa/features/generations/followed-generation.ts';
import type { GenerationQueryState } from '#pwa/features/generations/generation-query.ts';
import { type FollowedVideo, VIDEO_TOOL } from '#pwa/features/videos/video-tool.ts';
import { PHOTO } from '#tests/pwa/support/samples.ts';
import { createFakeIndexedDb, storedValues } from '#tests/support/fake-indexed-db.ts';

const START = 1_795_000_000_000;
const USER = 1000;
const KEY = 'activeGeneration';
const form = { preset: 'walk', duration: 10, aspectRatio: '9:16' } as const;
beforeAll(() => vi.stubGlobal('indexedDB', createFakeIndexedDb()));
beforeEach(() => storedValues.clear());

/** A running video after one unanswered poll. */
function followedVideo(): FollowedVideo {
  const subject = VIDEO_TOOL.subjectOfStart({ photo: PHOTO, form });
  const seed = { generationId: 'g1', subject, startedAt: START, status: 'generating' } as const;
  const state: GenerationQueryState = {
    data: { view: null, failures: [{ kind: 'network', message: null }], polls: 1 },
    dataUpdatedAt: START + 7,
    fetchStatus: 'idle',
  };
  return describeFollowed(VIDEO_TOOL, { ...seed, origin: 'start', since: START, pollsBefore: 0 }, state);
}

describe('the device’s record of a video', () => {
  it('has every field of the specification', () => {
    expect(VIDEO_TOOL.record.encode(followedVideo(), START + 9)[KEY]).toMatchObject({
      generationId: 'g1',
      isGenerating: true,
      conversionStep: 'generating',
      videoSettings: { duration: 10, cfgScale: 0.5, preset: 'walk', prompt: 'Walking on a fashion runway' },
      timestamp: START + 9,
      imageUrl: PHOTO.previewUrl,
      fileId: PHOTO.id,
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

  it('brings back the photo, the choice and the counts, also where the page had given up', async () => {
    const stored = VIDEO_TOOL.record.encode({ ...followedVideo(), step: 'error' }, START + 9);
    await VIDEO_TOOL.record.write(USER, stored);
    expect(await VIDEO_TOOL.record.read(USER)).toEqual({
      generationId: 'g1',
      status: 'generating',
      pollCount: 1,
      startedAt: START,
      lastPollAt: START + 7,
      subject: { photo: PHOTO, thumbnailUrl: PHOTO.thumbnailUrl, form },
    });
  });

  it('of what the server did not know is not asked for again, and is removed', async () => {
    await VIDEO_TOOL.record.write(
      USER,
      VIDEO_TOOL.record.encode({ ...followedVideo(), step: 'critical_error' }, START),
    );
    expect(await VIDEO_TOOL.record.read(USER)).toBeNull();
    expect(await storedValues.read()).toEqual(new Map());
  });
});

it('a page that shows by itself why nothing is known of a video opens no toast', () => {
  const say = (outcome: Parameters<typeof VIDEO_TOOL.describeOutcome>[0]) => VIDEO_TOOL.describeOutcome(outcome, null);
  expect(say({ kind: 'unanswered', failure: { kind: 'unavailable', message: 'Идут работы' } })).toEqual({});
  expect(say({ kind: 'lost', message: 'Генерация не найдена' })).toEqual({
    error: { type: 'video_status', message: 'Генерация не найдена' },
  });
});

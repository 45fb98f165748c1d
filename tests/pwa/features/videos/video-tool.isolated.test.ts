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

describe('what is said of a video', () => {
  const say = (outcome: Parameters<typeof VIDEO_TOOL.describeOutcome>[0]) => VIDEO_TOOL.describeOutcome(outcome, null);

  it('is the server’s reason of a failure, and fixed words without one', () => {
    expect(say({ kind: 'failed', message: 'Фото не подошло' }).toast).toMatchObject({
      title: 'Ошибка генерации видео',
      description: 'Фото не подошло',
    });
    expect(say({ kind: 'failed', message: null }).toast?.description).toBe(
      'Произошла ошибка на стороне API генерации.',
    );
  });

  it('are the words of the specification while the server cannot be reached', () => {
    const network = { kind: 'network', message: null } as const;
    expect(say({ kind: 'unanswered', failure: network }).toast?.title).toBe('Ошибка опроса статуса');
    // The server's own text is shown over the picture.
    expect(say({ kind: 'unanswered', failure: { kind: 'unavailable', message: 'Идут работы' } })).toEqual({});
    expect(say({ kind: 'gave_up', message: 'x' }).toast).toMatchObject({
      title: 'Ошибка связи с сервером',
      description: 'Не удалось получить статус видео после 5 попыток',
    });
    expect(say({ kind: 'timeout' }).toast).toEqual({ title: 'Генерация занимает слишком много времени' });
  });

  it('is nothing where the page itself shows it', () => {
    expect([say({ kind: 'completed' }).toast, say({ kind: 'resumed' }).toast]).toEqual([undefined, undefined]);
    expect(say({ kind: 'lost', message: 'Генерация не найдена' })).toEqual({
      error: { type: 'video_status', message: 'Генерация не найдена' },
    });
  });
});

import { describe, expect, it } from 'vitest';
import {
  advanceTracking,
  beginTracking,
  type Tracking,
  type VideoStatusAnswer,
} from '#pwa/features/videos/tracking.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;
const subject = { photo: null, thumbnailUrl: null, form: DEFAULT_VIDEO_FORM };

function begin(): Tracking {
  return beginTracking({ generationId: 'a81f3c07', subject, startedAt: START }, START);
}

function answer(status: VideoStatusAnswer['status'], more: Partial<VideoStatusAnswer> = {}): VideoStatusAnswer {
  return {
    status,
    videoUrl: null,
    videoId: null,
    error: null,
    message: null,
    code: null,
    progress: { share: 0.5, startedAt: new Date(START).toISOString(), finishedAt: null, expectedSeconds: null },
    ...more,
  };
}

function fail(
  tracking: Tracking,
  at: number,
  kind: 'network' | 'unavailable' | 'server' | 'lost' = 'network',
): Tracking {
  return advanceTracking(tracking, { type: 'poll_failed', at, failure: { kind, message: `ошибка ${at}` } });
}

describe('polling of a video generation', () => {
  it('asks at once, then every 10 seconds while all is well', () => {
    let tracking = begin();
    expect(tracking.nextPollAt).toBe(START);
    for (let at = START; at <= START + 50_000; at += 10_000) {
      tracking = advanceTracking(tracking, { type: 'answered', at, answer: answer('generating') });
      expect(tracking.nextPollAt).toBe(at + 10_000);
    }
    expect(tracking).toMatchObject({ step: 'generating', pollCount: 6, progress: { share: 0.5 } });
  });

  it('waits 10, 15, 22.5 and 30 seconds after failures in a row and gives up at the fifth', () => {
    let tracking = begin();
    const pauses: Array<number | null> = [];
    for (let failure = 1; failure <= 5; failure += 1) {
      tracking = fail(tracking, START + failure);
      pauses.push(tracking.nextPollAt && tracking.nextPollAt - (START + failure));
    }
    expect(pauses).toEqual([10_000, 15_000, 22_500, 30_000, null]);
    expect(tracking).toMatchObject({ step: 'error', failuresInARow: 5, status: 'pending' });
    expect(tracking.errors).toHaveLength(5);
  });

  it('starts counting failures anew after an answer', () => {
    let tracking = fail(fail(fail(fail(begin(), START), START + 1), START + 2), START + 3);
    tracking = advanceTracking(tracking, { type: 'answered', at: START + 4, answer: answer('processing') });
    expect(tracking).toMatchObject({ failuresInARow: 0, errors: [], step: 'processing' });
    expect(fail(tracking, START + 5)).toMatchObject({ step: 'processing', nextPollAt: START + 5 + 10_000 });
  });

  it('stops asking after 25 minutes, while the server may go on', () => {
    const before = advanceTracking(begin(), {
      type: 'answered',
      at: START + 25 * MINUTE_MS - 1,
      answer: answer('generating'),
    });
    expect(before.step).toBe('generating');
    const after = advanceTracking(before, {
      type: 'answered',
      at: START + 25 * MINUTE_MS,
      answer: answer('generating'),
    });
    expect(after).toMatchObject({ step: 'timeout', status: 'generating', nextPollAt: null });
  });

  it('goes on for another 25 minutes when the person asks to check again', () => {
    const late = START + 26 * MINUTE_MS;
    const timedOut = advanceTracking(begin(), { type: 'answered', at: late, answer: answer('generating') });
    const checked = advanceTracking(timedOut, { type: 'check_requested', at: late + 5 });
    expect(checked).toMatchObject({ step: 'generating', nextPollAt: late + 5 });
    const answered = advanceTracking(checked, { type: 'answered', at: late + 10, answer: answer('generating') });
    expect(answered).toMatchObject({ step: 'generating', nextPollAt: late + 10 + 10_000 });
  });

  it('takes a result that is ready even when the 25 minutes are over', () => {
    const finished = advanceTracking(begin(), {
      type: 'answered',
      at: START + 40 * MINUTE_MS,
      answer: answer('completed', { videoUrl: '/api/video-proxy/v1', videoId: 'v1' }),
    });
    expect(finished).toMatchObject({
      step: 'completed',
      videoUrl: '/api/video-proxy/v1',
      videoId: 'v1',
      nextPollAt: null,
    });
  });

  it('stops for good on completed and on failed', () => {
    const failed = advanceTracking(begin(), {
      type: 'answered',
      at: START,
      answer: answer('failed', { error: 'Фото не подошло', code: 'photo_unsuitable' }),
    });
    expect(failed).toMatchObject({
      step: 'failed',
      nextPollAt: null,
      failure: { message: 'Фото не подошло', code: 'photo_unsuitable' },
    });
    expect(advanceTracking(failed, { type: 'check_requested', at: START + 1 })).toBe(failed);
  });

  it('has words for a failure that the server did not explain', () => {
    const failed = advanceTracking(begin(), { type: 'answered', at: START, answer: answer('failed') });
    expect(failed.failure?.message).toBe('Произошла ошибка на стороне API генерации.');
  });

  it('does not ask again about a generation that the server does not know', () => {
    expect(fail(begin(), START, 'lost')).toMatchObject({ step: 'critical_error', nextPollAt: null });
  });

  it('pauses without a network and asks at once when it is back', () => {
    const offline = advanceTracking(begin(), { type: 'went_offline' });
    expect(offline).toMatchObject({ isOffline: true, nextPollAt: null });
    const online = advanceTracking(offline, { type: 'came_online', at: START + 70_000 });
    expect(online).toMatchObject({ isOffline: false, nextPollAt: START + 70_000, failuresInARow: 0 });
  });

  it('does not start asking by itself when the network returns after it has given up', () => {
    let tracking = begin();
    for (let failure = 1; failure <= 5; failure += 1) tracking = fail(tracking, START + failure);
    tracking = advanceTracking(tracking, { type: 'went_offline' });
    expect(advanceTracking(tracking, { type: 'came_online', at: START + 9 })).toMatchObject({
      step: 'error',
      nextPollAt: null,
    });
  });
});

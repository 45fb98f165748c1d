import { describe, expect, it } from 'vitest';
import {
  advancePlayback,
  describeRefusal,
  INITIAL_PLAYBACK,
  type PlaybackEvent,
  type PlaybackState,
  playbackSource,
  readMediaError,
} from '#pwa/features/videos/playback.ts';

function fail(attempt: number): PlaybackEvent {
  return { type: 'faulted', attempt, fault: 'network', refusal: null };
}

function advance(...events: PlaybackEvent[]): PlaybackState {
  return events.reduce(advancePlayback, INITIAL_PLAYBACK);
}

describe('playback of a video', () => {
  it('tries the same source twice more before it gives up', () => {
    expect(advance(fail(0))).toEqual({ phase: 'loading', retries: 1, attempt: 1 });
    expect(advance(fail(0), fail(1))).toEqual({ phase: 'loading', retries: 2, attempt: 2 });
    expect(advance(fail(0), fail(1), fail(2))).toMatchObject({
      phase: 'error',
      title: 'Не удалось воспроизвести видео после нескольких попыток…',
      detail: 'Видео не загрузилось: нет связи с сервером',
    });
  });

  it('asks for the whole file without ranges on the second retry', () => {
    expect(playbackSource('/api/video-proxy/v1', 0)).toBe('/api/video-proxy/v1');
    expect(playbackSource('/api/video-proxy/v1', 1)).toBe('/api/video-proxy/v1');
    expect(playbackSource('/api/video-proxy/v1', 2)).toBe('/api/video-proxy-full/v1');
    expect(playbackSource('/media/v1.mp4', 2)).toBe('/media/v1.mp4');
  });

  it('does not retry what the server refuses', () => {
    const refusal = describeRefusal(403);
    expect(advance({ type: 'faulted', attempt: 0, fault: 'unsupported', refusal })).toMatchObject({
      phase: 'error',
      retries: 0,
      title: 'Нет доступа к видео. Возможно, это видео принадлежит другому пользователю.',
    });
    expect(describeRefusal(404)).toBe('Видео не найдено');
    expect(describeRefusal(401)).toBe('Требуется авторизация');
    expect(describeRefusal(200)).toBeNull();
    expect(describeRefusal(502)).toBeNull();
  });

  it('starts from the beginning when the person asks', () => {
    expect(advance(fail(0), fail(1), fail(2), { type: 'retry_requested' })).toEqual({
      ...INITIAL_PLAYBACK,
      attempt: 3,
    });
  });

  it('ignores a late fault after it has given up, and keeps playing once loaded', () => {
    const over = advance(fail(0), fail(1), fail(2));
    expect(advancePlayback(over, fail(2))).toBe(over);
    expect(advance(fail(0), { type: 'loaded' })).toEqual({ phase: 'ready', retries: 1, attempt: 1 });
  });

  it('counts one fault a try: the error and the time limit of the same try are one', () => {
    const second = advance({ type: 'faulted', attempt: 0, fault: 'loadTimeout', refusal: null });
    expect(advancePlayback(second, fail(0))).toBe(second);
  });

  it('does not blame a new try for what is learnt late about an earlier one, a restart of the person included', () => {
    const restarted = advance(fail(0), fail(1), fail(2), { type: 'retry_requested' });
    const late: PlaybackEvent = { type: 'faulted', attempt: 0, fault: 'unsupported', refusal: 'Видео не найдено' };
    expect(advancePlayback(restarted, late)).toBe(restarted);
  });

  it('tells the browser’s error codes apart', () => {
    expect([1, 2, 3, 4, undefined].map(readMediaError)).toEqual([
      'aborted',
      'network',
      'decode',
      'unsupported',
      'network',
    ]);
  });
});

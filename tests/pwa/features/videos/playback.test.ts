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

const fault: PlaybackEvent = { type: 'faulted', fault: 'network', refusal: null };

function advance(...events: PlaybackEvent[]): PlaybackState {
  return events.reduce(advancePlayback, INITIAL_PLAYBACK);
}

describe('playback of a video', () => {
  it('tries the same source twice more before it gives up', () => {
    expect(advance(fault)).toEqual({ phase: 'loading', retries: 1 });
    expect(advance(fault, fault)).toEqual({ phase: 'loading', retries: 2 });
    expect(advance(fault, fault, fault)).toMatchObject({
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
    expect(advance({ type: 'faulted', fault: 'unsupported', refusal })).toMatchObject({
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
    expect(advance(fault, fault, fault, { type: 'retry_requested' })).toEqual(INITIAL_PLAYBACK);
  });

  it('ignores a late fault after it has given up, and keeps playing once loaded', () => {
    const over = advance(fault, fault, fault);
    expect(advancePlayback(over, fault)).toBe(over);
    expect(advance(fault, { type: 'loaded' })).toEqual({ phase: 'ready', retries: 1 });
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

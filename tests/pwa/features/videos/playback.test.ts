import { describe, expect, it } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import {
  advancePlayback,
  diagnose,
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

const answered = (status: number, message = 'Bad Gateway') => new ApiError(status, message, { message });
const unanswered = new ApiError(0, 'Unknown error');

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
    const titleOf = (status: number) => advance(diagnose(0, 'unsupported', status < 400 ? null : answered(status)));
    expect(titleOf(403)).toMatchObject({
      phase: 'error',
      retries: 0,
      title: 'Нет доступа к видео. Возможно, это видео принадлежит другому пользователю.',
    });
    expect(titleOf(404)).toMatchObject({ phase: 'error', title: 'Видео не найдено' });
    expect(titleOf(401)).toMatchObject({ phase: 'error', title: 'Требуется авторизация' });
    expect(titleOf(200)).toMatchObject({ phase: 'loading', retries: 1 });
    expect(titleOf(502)).toMatchObject({ phase: 'loading', retries: 1 });
  });

  it('waits while the server makes the file, and then loads it without counting that as a retry', () => {
    const preparing = new ApiError(409, 'Готовим', { code: 'video_preparing' });
    const waiting = advance(diagnose(0, 'unsupported', preparing));
    expect(waiting).toEqual({ phase: 'preparing', retries: 0, attempt: 0 });
    expect(advancePlayback(waiting, { type: 'prepared' })).toEqual({ phase: 'loading', retries: 0, attempt: 1 });
    expect(advance(fail(0), diagnose(0, 'unsupported', preparing))).toMatchObject({ phase: 'loading', attempt: 1 });
    expect(advance({ type: 'prepared' })).toEqual(INITIAL_PLAYBACK);
  });

  it('passes on at once what only the server knows: a lost file, a storage that is away', () => {
    for (const status of [410, 503, 507]) {
      expect(advance(diagnose(0, 'unsupported', answered(status, 'Хранилище сейчас недоступно')))).toMatchObject({
        phase: 'error',
        title: 'Хранилище сейчас недоступно',
        detail: null,
      });
    }
    // A proxy's words are not for people.
    expect(advance(diagnose(0, 'unsupported', answered(503, 'Service Unavailable')))).toMatchObject({ retries: 1 });
  });

  it('blames the file only where the server gives it', () => {
    const over = advance(fail(0), fail(1));
    const detailOf = (status: number) =>
      advancePlayback(over, diagnose(2, 'unsupported', status < 400 ? null : answered(status)));
    expect(detailOf(200)).toMatchObject({
      detail: expect.stringMatching(/^Браузер не поддерживает этот формат видео\. Сам файл в порядке: скачайте/),
      isFileFine: true,
    });
    expect(detailOf(503)).toMatchObject({ detail: 'Видео не загрузилось: нет связи с сервером' });
  });

  it('says at once that the server cannot be reached, whatever the browser calls it', () => {
    for (const fault of ['unsupported', 'network', 'decode', 'loadTimeout'] as const) {
      expect(advance(diagnose(0, fault, unanswered))).toEqual({
        phase: 'error',
        retries: 0,
        attempt: 0,
        title: 'Видео не загрузилось: нет связи с сервером',
        detail: 'Проверьте интернет и нажмите «Повторить»',
      });
    }
  });

  it('says that the connection broke while it played, and starts again when the person asks', () => {
    const broken = advance({ type: 'loaded' }, diagnose(0, 'network', unanswered));
    expect(broken).toMatchObject({ phase: 'error', title: 'Связь прервалась, видео остановилось' });
    expect(advancePlayback(broken, diagnose(0, 'network', unanswered))).toBe(broken);
    expect(advancePlayback(broken, { type: 'retry_requested' })).toEqual({ ...INITIAL_PLAYBACK, attempt: 1 });
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

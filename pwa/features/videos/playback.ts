import { type ApiError, describeFileRefusal } from '#pwa/client/api-error.ts';

/** Playback of one video: which source to try, and what an error means. */
export const LOAD_TIMEOUT_MS = 10_000;
const PLAYBACK_MAX_RETRIES = 2;

const PROXY = '/api/video-proxy/';
const WHOLE_PROXY = '/api/video-proxy-full/';

const PLAYBACK_TEXTS = {
  aborted: 'Загрузка видео прервана',
  network: 'Видео не загрузилось: нет связи с сервером',
  brokenOff: 'Связь прервалась, видео остановилось',
  checkConnection: 'Проверьте интернет и нажмите «Повторить»',
  decode: 'Браузер не смог прочитать это видео',
  unsupported: 'Браузер не поддерживает этот формат видео',
  loadTimeout: 'Видео загружается слишком долго',
  forbidden: 'Нет доступа к видео. Возможно, это видео принадлежит другому пользователю.',
  notFound: 'Видео не найдено',
  unauthorized: 'Требуется авторизация',
  givenUp: 'Не удалось воспроизвести видео после нескольких попыток…',
  fileIsFine: 'Сам файл в порядке: скачайте его и откройте в другом проигрывателе',
} as const;

export type PlaybackFault = 'aborted' | 'network' | 'decode' | 'unsupported' | 'loadTimeout';

export type PlaybackState =
  /** `preparing`: the server is still making the file. */
  | (PlaybackTry & { phase: 'loading' | 'ready' | 'preparing' })
  /** `isFileFine`: the server gives the file, but this browser cannot show it. */
  | (PlaybackTry & { phase: 'error'; title: string; detail: string | null; isFileFine?: boolean });

interface PlaybackTry {
  retries: number;
  /** Counts all tries, including those that the person has asked for. */
  attempt: number;
}

export type PlaybackEvent =
  | { type: 'loaded' }
  /**
   * A fault of that try. `refusal` is the text of a refusal that no immediate retry can change, if the server gave one.
   * Each try counts one fault, because the cause may be known only after the next try has started.
   */
  | { type: 'faulted'; attempt: number; fault: PlaybackFault; refusal: string | null }
  /** That try failed and the server cannot be reached, so an immediate retry would fail too. */
  | { type: 'disconnected'; attempt: number }
  /** That try found that the server is still making the file. */
  | { type: 'preparing'; attempt: number }
  | { type: 'prepared' }
  | { type: 'retry_requested' };

export const INITIAL_PLAYBACK: PlaybackState = { phase: 'loading', retries: 0, attempt: 0 };

export function advancePlayback(state: PlaybackState, event: PlaybackEvent): PlaybackState {
  switch (event.type) {
    case 'loaded':
      return state.phase === 'loading' ? { ...state, phase: 'ready' } : state;
    case 'faulted':
      if (state.phase === 'error' || event.attempt !== state.attempt) return state;
      if (event.refusal !== null) return { ...state, phase: 'error', title: event.refusal, detail: null };
      if (state.retries < PLAYBACK_MAX_RETRIES) {
        return { phase: 'loading', retries: state.retries + 1, attempt: state.attempt + 1 };
      }
      if (event.fault === 'decode' || event.fault === 'unsupported') {
        const detail = `${PLAYBACK_TEXTS[event.fault]}. ${PLAYBACK_TEXTS.fileIsFine}`;
        return { ...state, phase: 'error', title: PLAYBACK_TEXTS.givenUp, detail, isFileFine: true };
      }
      return { ...state, phase: 'error', title: PLAYBACK_TEXTS.givenUp, detail: PLAYBACK_TEXTS[event.fault] };
    case 'disconnected': {
      if (state.phase === 'error' || event.attempt !== state.attempt) return state;
      const title = state.phase === 'ready' ? PLAYBACK_TEXTS.brokenOff : PLAYBACK_TEXTS.network;
      return { ...state, phase: 'error', title, detail: PLAYBACK_TEXTS.checkConnection };
    }
    case 'preparing':
      if (state.phase === 'error' || event.attempt !== state.attempt) return state;
      return { ...state, phase: 'preparing' };
    case 'prepared':
      return state.phase === 'preparing' ? { ...state, phase: 'loading', attempt: state.attempt + 1 } : state;
    case 'retry_requested':
      return { ...INITIAL_PLAYBACK, attempt: state.attempt + 1 };
  }
}

/** The address for this try. The second retry uses the proxy that sends the whole file, without ranges. */
export function playbackSource(url: string, retries: number): string {
  return retries < PLAYBACK_MAX_RETRIES ? url : url.replace(PROXY, WHOLE_PROXY);
}

/** The meaning of a MediaError code. */
export function readMediaError(code: number | undefined): PlaybackFault {
  if (code === 1) return 'aborted';
  if (code === 3) return 'decode';
  if (code === 4) return 'unsupported';
  return 'network';
}

/**
 * The cause of a fault, by what the server answers for the same address: an error, or null when it gives the file.
 * Browsers report any file that they did not get as unsupported, so the file is to blame only if the server delivers
 * it.
 */
export function diagnose(attempt: number, fault: PlaybackFault, error: ApiError | null): PlaybackEvent {
  if (error === null) return { type: 'faulted', attempt, fault, refusal: null };
  if (error.status === 0) return { type: 'disconnected', attempt };
  if (error.code === 'video_preparing') return { type: 'preparing', attempt };
  return { type: 'faulted', attempt, fault: 'network', refusal: describeRefusal(error) };
}

/** Why the server refuses the video; null when the next try may get it. */
function describeRefusal(error: ApiError): string | null {
  const { status } = error;
  if (status === 401) return PLAYBACK_TEXTS.unauthorized;
  if (status === 403) return PLAYBACK_TEXTS.forbidden;
  if (status === 404) return PLAYBACK_TEXTS.notFound;
  return describeFileRefusal(error);
}

import { type GenerationFailureCode, type GenerationStatus, isFinal } from './generation-lifecycle.ts';

/** Rows of a batch that are neither refused nor removed. */
export const BATCH_ROWS_MAX = 200;
/** All rows of a batch, with refused ones, so that a wrong folder does not fill the server. */
export const BATCH_ALL_ROWS_MAX = 1_000;
/** Rows that are added with one request. */
export const ROWS_ADDED_MAX = 250;
export const BATCHES_MAX = 1_000;
export const BATCH_NAME_MAX_LENGTH = 80;
/** No more is kept of the names of files and folders. */
export const ROW_NAME_MAX_LENGTH = 255;
export const ROW_NOTE_MAX_LENGTH = 500;
/** How many rows a pilot starts, before the others. */
export const PILOT_ROWS = 3;
/** How often a row is tried again by itself after an outage, before it counts as failed. */
export const OUTAGE_RETRIES = 3;

/** Each row is in exactly one of these states. Removed rows are gone. */
export const ROW_STATES = [
  'uploading',
  'duplicate',
  'refused',
  'ready',
  'waiting',
  'running',
  'done',
  'failed',
  'stopped',
] as const;
export type RowState = (typeof ROW_STATES)[number];

/** The state of one row in words. */
export const ROW_STATE_TEXTS: Readonly<Record<RowState, string>> = {
  uploading: 'Загружается',
  duplicate: 'Такое фото уже есть',
  refused: 'Не принято',
  ready: 'Готово к запуску',
  waiting: 'Ждёт очереди',
  running: 'Создаётся',
  done: 'Готово',
  failed: 'Не вышло',
  stopped: 'Остановлено',
};

/** What a row knows itself. One that was started has the state of its last attempt. */
export const ROW_STAGES = [
  'uploading',
  'duplicate',
  'refused',
  'ready',
  'waiting',
  'started',
  'failed',
  'stopped',
] as const;
export type RowStage = (typeof ROW_STAGES)[number];

/** What the state of a row follows from. */
export interface StagedRow {
  stage: RowStage;
  retriesLeft: number;
  /** The last attempt. Null before the first, and after its data was erased. */
  attempt: { status: GenerationStatus; failureCode: string | null } | null;
}

/**
 * The state of a row. An attempt that ended because of a limit or an outage leaves the row waiting: it is no failure of
 * its photo, and the line takes it again.
 */
export function rowStateOf({ stage, retriesLeft, attempt }: StagedRow): RowState {
  if (stage !== 'started') return stage;
  if (!attempt) return 'failed';
  if (!isFinal(attempt.status)) return 'running';
  if (attempt.status === 'completed') return 'done';
  if (attempt.failureCode === 'cancelled') return 'stopped';
  return endedByOutage(attempt.failureCode) && retriesLeft > 0 ? 'waiting' : 'failed';
}

export type RowCounts = Record<RowState, number> & { all: number };

/** How many rows are in each state, and how many there are: always the sum of the others. */
export function countRows(states: Iterable<RowState>): RowCounts {
  const none = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>;
  const counts: RowCounts = { ...none, all: 0 };
  for (const state of states) {
    counts[state] += 1;
    counts.all += 1;
  }
  return counts;
}

/** Failures that say nothing about the photo: the row waits, and its batch pauses. */
const OUTAGE_FAILURES = [
  'engine_maintenance',
  'engine_overloaded',
  'engine_budget_reached',
  'engine_free_runs_reached',
  'engine_share_reached',
  'engine_refusals_reached',
  'consent_withdrawn',
  'storage_failed',
  'timed_out',
] as const satisfies GenerationFailureCode[];
export type OutageFailure = (typeof OUTAGE_FAILURES)[number];

export function endedByOutage(failureCode: string | null): failureCode is OutageFailure {
  return (OUTAGE_FAILURES as readonly (string | null)[]).includes(failureCode);
}

/** Why a batch is paused. `by_owner`: its owner has pressed «Пауза». */
export const PAUSE_CODES = [
  'by_owner',
  'not_enough_stars',
  'price_changed',
  'engine_maintenance',
  'engine_failing',
  'engine_overloaded',
  'engine_budget_reached',
  'engine_free_runs_reached',
  'engine_share_reached',
  'engine_refusals_reached',
  'storage_full',
  'storage_unavailable',
  'unavailable',
  'too_many_requests',
  'timed_out',
  'consent_required',
  'transfer_consent_required',
  'email_not_verified',
  'settings_unavailable',
] as const;
export type PauseCode = (typeof PAUSE_CODES)[number];

/** What its owner reads about a pause. The time at which it goes on, or the missing stars, follow. */
export const PAUSE_TEXTS: Readonly<Record<PauseCode, string>> = {
  by_owner: 'Партия на паузе. То, что уже создаётся, будет доделано',
  not_enough_stars: 'Не хватает звёзд. Ничего не потеряно: партия продолжится, когда они появятся',
  price_changed: 'Цена изменилась. Ничего не списано: посмотрите новую цену и продолжите',
  engine_maintenance: 'Инструмент на обслуживании. Звёзды не удерживаются, партия продолжится сама',
  engine_failing: 'Сервис генерации работает с ошибками. Звёзды не удерживаются, партия продолжится сама',
  engine_overloaded: 'Сервис генерации перегружен. Звёзды не удерживаются, партия продолжится сама',
  engine_budget_reached: 'На сегодня генерации закончились. Партия продолжится сама',
  engine_free_runs_reached: 'Бесплатные генерации на сегодня закончились. Партия продолжится сама',
  engine_share_reached: 'Ваш лимит генераций на сегодня исчерпан. Партия продолжится сама',
  engine_refusals_reached:
    'Сервис генерации отклонил сегодня три ваших заказа и новые пока не принимает. Партия продолжится сама',
  storage_full: 'На сервере закончилось место. Звёзды не удерживаются, партия продолжится сама',
  storage_unavailable: 'Хранилище файлов недоступно. Звёзды не удерживаются, партия продолжится сама',
  unavailable: 'Сервис временно недоступен. Звёзды не удерживаются, партия продолжится сама',
  too_many_requests: 'Слишком много запусков подряд. Партия продолжится сама',
  timed_out: 'Генерация не завершилась за 30 минут. Звёзды возвращены, партия продолжится сама',
  consent_required: 'Документы сервиса изменились. Прочитайте их и согласитесь, чтобы продолжить',
  transfer_consent_required:
    'Этот инструмент передаёт фото за границу. Согласитесь на передачу на странице инструмента, чтобы продолжить',
  email_not_verified: 'Подтвердите email, чтобы продолжить',
  settings_unavailable: 'С этими настройками сейчас ничего не создаётся. Остановите ожидающие и выберите другие',
};

/** How long a paused batch waits before it tries again, after an outage whose end nobody knows. */
export const OUTAGE_PAUSE_MS = 5 * 60_000;

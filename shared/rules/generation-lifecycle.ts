/** One lifecycle for all kinds of generation. The endpoints of the tools present it in different formats. */
export const GENERATION_KINDS = ['video', 'model_change', 'photosession', 'try_on'] as const;
export type GenerationKind = (typeof GENERATION_KINDS)[number];

/** pending: in the queue. processing: preparing the photo. generating: the engine is working. */
export const GENERATION_STATUSES = ['pending', 'processing', 'generating', 'completed', 'failed'] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

export const ACTIVE_STATUSES = ['pending', 'processing', 'generating'] as const satisfies readonly GenerationStatus[];

/** Whether the status is final. Only a late result may still turn failed into completed. */
export function isFinal(status: GenerationStatus): boolean {
  return status === 'completed' || status === 'failed';
}

/** The server's watchdog fails a generation that is older and returns its stars. */
export const GENERATION_TIMEOUT_MS = 30 * 60_000;

/** Why a generation failed: stable code -> text for people. */
export const GENERATION_FAILURES = {
  engine_error: 'Произошла ошибка на стороне API генерации.',
  photo_unsuitable: 'Это фото не подошло для генерации. Попробуйте другое: вещь целиком, на простом фоне',
  content_refused:
    'Сервис генерации не принял это фото или описание. Возьмите фото взрослого человека в обычной одежде или уберите из описания лишнее. Звёзды возвращены',
  engine_maintenance: 'Инструмент на обслуживании. Звёзды возвращены, попробуйте позже',
  engine_overloaded: 'Сервис генерации перегружен. Звёзды возвращены, попробуйте через несколько минут',
  engine_timed_out: 'Генерация заняла слишком много времени. Звёзды возвращены, попробуйте ещё раз',
  engine_budget_reached: 'На сегодня генерации закончились. Звёзды возвращены, попробуйте завтра',
  engine_free_runs_reached:
    'Бесплатные генерации на сегодня закончились. Звёзды возвращены, попробуйте завтра или купите звёзды',
  job_lost: 'Сервис генерации потерял это задание. Звёзды возвращены, попробуйте ещё раз',
  timed_out: 'Генерация не завершилась за 30 минут. Звёзды возвращены, попробуйте ещё раз',
  cancelled: 'Генерация отменена, звёзды возвращены',
} as const;
export type GenerationFailureCode = keyof typeof GENERATION_FAILURES;

/**
 * Share from which the work counts as saving. The last frames take a second or two. Then the file and its copy are
 * written, of which the engine reports nothing. An answer with this share stays visible for a whole polling interval.
 */
const SAVING_SHARE = 0.95;

/** Whether the pictures are nearly finished and the file is being saved. */
export function isSaving(share: number): boolean {
  return share >= SAVING_SHARE;
}

/** Polling interval of the page, as the specification defines it. */
export const POLL_INTERVAL_MS = 10_000;
const POLL_BACKOFF_FACTOR = 1.5;
const POLL_MAX_INTERVAL_MS = 30_000;
export const POLL_MAX_FAILURES = 5;
export const POLL_TIMEOUT_MS = 25 * 60_000;

/** Pause before the next status request: constant normally, growing after failures in a row. */
export function pollDelayMs(failuresInARow: number): number {
  return Math.min(POLL_INTERVAL_MS * POLL_BACKOFF_FACTOR ** Math.max(0, failuresInARow - 1), POLL_MAX_INTERVAL_MS);
}

export const MODEL_CHANGE_POLL_MS = 3_000;
export const PHOTOSESSION_POLL_MS = 5_000;
/** A stored photo session older than this is not restored, because the watchdog has ended it. */
export const PHOTOSESSION_RESTORE_MS = 2 * 60 * 60_000;

/** One lifecycle for all kinds of generation; the wire answers of the tools are dialects of it. */
export const GENERATION_KINDS = ['video', 'model_change', 'photosession'] as const;
export type GenerationKind = (typeof GENERATION_KINDS)[number];

/** pending: in the queue. processing: the photo is being prepared. generating: the engine is at work. */
export const GENERATION_STATUSES = ['pending', 'processing', 'generating', 'completed', 'failed'] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

export const ACTIVE_STATUSES = ['pending', 'processing', 'generating'] as const satisfies readonly GenerationStatus[];

/** Whether nothing more will happen, except that a late result may still turn failed into completed. */
export function isFinal(status: GenerationStatus): boolean {
  return status === 'completed' || status === 'failed';
}

/** The server's watchdog fails a generation that is older and gives its stars back. */
export const GENERATION_TIMEOUT_MS = 30 * 60_000;

/** Why a generation failed: stable code -> what a person reads. */
export const GENERATION_FAILURES = {
  engine_error: 'Произошла ошибка на стороне API генерации.',
  photo_unsuitable: 'Это фото не подошло для генерации. Попробуйте другое: вещь целиком, на простом фоне',
  timed_out: 'Генерация не завершилась за 30 минут. Звёзды возвращены, попробуйте ещё раз',
  cancelled: 'Генерация отменена, звёзды возвращены',
} as const;
export type GenerationFailureCode = keyof typeof GENERATION_FAILURES;

/**
 * The last frames take a second or two; after them the file and its copy are made, of which the engine reports
 * nothing. An answer with this share stays in sight for a whole poll pause.
 */
const SAVING_SHARE = 0.95;

/** Whether the pictures are as good as done and the file is being put away. */
export function isSaving(share: number): boolean {
  return share >= SAVING_SHARE;
}

/** How the page polls, as the specification fixes it. */
export const POLL_INTERVAL_MS = 10_000;
export const POLL_BACKOFF_FACTOR = 1.5;
export const POLL_MAX_INTERVAL_MS = 30_000;
export const POLL_MAX_FAILURES = 5;
export const POLL_TIMEOUT_MS = 25 * 60_000;

/** Pause before the next status request: steady while all is well, growing after failures in a row. */
export function pollDelayMs(failuresInARow: number): number {
  return Math.min(POLL_INTERVAL_MS * POLL_BACKOFF_FACTOR ** Math.max(0, failuresInARow - 1), POLL_MAX_INTERVAL_MS);
}

export const MODEL_CHANGE_POLL_MS = 3_000;
export const PHOTOSESSION_POLL_MS = 5_000;
/** A stored photo session older than this is not restored: the watchdog has ended it by then. */
export const PHOTOSESSION_RESTORE_MS = 2 * 60 * 60_000;

import { backOffMs } from './back-off.ts';
import { ENGINE_DAY_START } from './engine-day.ts';

/**
 * One lifecycle for all kinds of generation. The endpoints of the tools present it in different formats. Every list of
 * tools that a person sees has this order.
 */
export const GENERATION_KINDS = ['model_change', 'video', 'try_on', 'photosession'] as const;
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

/**
 * What helps after a failure. `another_photo`: the same one would fail again. `again`: the same order. `stars`: the
 * same order, or at once for who has bought stars.
 */
export type Remedy = 'another_photo' | 'again' | 'stars';

interface Failure {
  reason: string;
  /** What to do, in lower case, to follow the words about stars. */
  advice: string | null;
  message: string;
  remedy: Remedy;
}

/** A failure whose text also says that the stars are back. */
function refunded(reason: string, advice: string | null, remedy: Remedy): Failure {
  return { reason, advice, remedy, message: [`${reason}. Звёзды возвращены`, ...(advice ? [advice] : [])].join(', ') };
}

function plain(message: string, remedy: Remedy): Failure {
  return { reason: message, advice: null, message, remedy };
}

export const FAILURES = {
  engine_error: plain('Произошла ошибка на стороне API генерации.', 'again'),
  photo_unsuitable: plain(
    'Это фото не подошло для генерации. Попробуйте другое: вещь целиком, на простом фоне',
    'another_photo',
  ),
  photo_lost: refunded('Фото потеряно на сервере', 'загрузите его заново', 'another_photo'),
  content_refused: refunded(
    'Сервис генерации не принял это фото или описание. Фото несовершеннолетних, обнажённое тело и насилие не принимаются. Возьмите фото взрослого человека в обычной одежде или уберите из описания лишнее',
    null,
    'another_photo',
  ),
  engine_maintenance: refunded('Инструмент на обслуживании', 'попробуйте позже', 'again'),
  engine_overloaded: refunded('Сервис генерации перегружен', 'попробуйте через несколько минут', 'again'),
  engine_timed_out: refunded('Генерация заняла слишком много времени', 'попробуйте ещё раз', 'again'),
  engine_budget_reached: refunded('На сегодня генерации закончились', 'попробуйте завтра', 'again'),
  engine_free_runs_reached: refunded(
    'Бесплатные генерации на сегодня закончились',
    'попробуйте завтра или купите звёзды',
    'stars',
  ),
  engine_share_reached: refunded(
    'Ваш лимит генераций на сегодня исчерпан',
    `продолжить можно после ${ENGINE_DAY_START}`,
    'again',
  ),
  engine_refusals_reached: refunded(
    'Сервис генерации отклонил сегодня три ваших заказа',
    `продолжить можно после ${ENGINE_DAY_START} с другим фото или описанием`,
    'again',
  ),
  consent_withdrawn: refunded(
    'Согласие на передачу фото за границу отозвано',
    'чтобы продолжить, дайте его снова и повторите заказ',
    'again',
  ),
  job_lost: refunded('Сервис генерации потерял это задание', 'попробуйте ещё раз', 'again'),
  storage_failed: refunded('Не удалось сохранить результат', 'попробуйте позже', 'again'),
  timed_out: refunded('Генерация не завершилась за 30 минут', 'попробуйте ещё раз', 'again'),
  cancelled: { ...plain('Генерация отменена', 'again'), message: 'Генерация отменена, звёзды возвращены' },
} as const satisfies Record<string, Failure>;
export type GenerationFailureCode = keyof typeof FAILURES;

/** A code as it is stored. One that only a newer version knows counts as an error of the engine. */
export function readFailureCode(stored: string): GenerationFailureCode {
  return Object.hasOwn(FAILURES, stored) ? (stored as GenerationFailureCode) : 'engine_error';
}

/** What helps after this failure. */
export function findRemedy(code: GenerationFailureCode | null): Remedy {
  return code === null ? 'again' : FAILURES[code].remedy;
}

export const GENERATION_FAILURES = Object.fromEntries(
  Object.entries(FAILURES).map(([code, { message }]) => [code, message]),
) as Record<GenerationFailureCode, string>;

/** Text for people about the failure of a free generation: it says nothing about stars. */
export function explainFreeFailure(code: GenerationFailureCode): string {
  const { reason, advice } = FAILURES[code];
  return advice === null ? reason : `${reason}: ${advice}`;
}

/**
 * Share from which the work counts as saving. The last frames take a second or two. Then the file and its copy are
 * written, of which the engine reports nothing. An answer with this share stays visible for a whole polling interval.
 */
const SAVING_SHARE = 0.95;

export function isSaving(share: number): boolean {
  return share >= SAVING_SHARE;
}

/** Polling interval of the page, as the specification defines it. */
export const POLL_INTERVAL_MS = 10_000;
const POLL_BACK_OFF = { firstMs: POLL_INTERVAL_MS, longestMs: 30_000, factor: 1.5 };
export const POLL_MAX_FAILURES = 5;
export const POLL_TIMEOUT_MS = 25 * 60_000;

/** Pause before the next status request: constant normally, growing after failures in a row. */
export function pollDelayMs(failuresInARow: number): number {
  return backOffMs(Math.max(0, failuresInARow - 1), POLL_BACK_OFF);
}

export const MODEL_CHANGE_POLL_MS = 3_000;
export const PHOTOSESSION_POLL_MS = 5_000;
/** A stored photo session older than this is not restored, because the watchdog has ended it. */
export const PHOTOSESSION_RESTORE_MS = 2 * 60 * 60_000;

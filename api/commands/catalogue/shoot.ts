import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { FalUnreachableError } from '#api/adapters/generation-engines/fal/fal-errors.ts';
import type { Photographer } from '#api/adapters/generation-engines/fal/fal-photographer.ts';
import type {
  EngineFailure,
  EngineFailureCode,
  EngineJob,
  EngineOutput,
  EngineReport,
} from '#api/adapters/generation-engines/generation-engine.ts';
import type { ReviewFolder } from './review-folder.ts';

/** New accounts at fal run two jobs at a time. The others are ready for the moment when one ends. */
const CONCURRENCY = 4;
const POLL_INTERVAL_MS = 3_000;
/** So many polls in a row may fail before a job is left to the next run. */
const FAILED_POLLS_MAX = 20;
/** fal gives up a job that has not begun after 25 minutes. */
const FOLLOW_MS = 30 * 60_000;

/** One picture to make. */
export interface Shot {
  id: string;
  name: string;
  /** Where its files go, such as `woman/w1`. */
  place: string;
  prompt: string;
}

/** What came of the shots. */
export interface Shooting {
  /** How many orders were sent. Each may be charged. */
  ordered: number;
  failures: { shot: Shot; reason: string }[];
  /** Why no more orders were sent. Null when all were. */
  obstacle: string | null;
}

export interface ShootOptions {
  /** Called after each picture that is stored. */
  onMade(shot: Shot): void;
  signal: AbortSignal;
  /** 3 seconds by default. */
  pollIntervalMs?: number;
}

const REASONS: Record<EngineFailureCode, string> = {
  photo_unsuitable: 'движок не принял заказ',
  photo_lost: 'файл заказа потерян',
  content_refused: 'правила движка не пропускают описание: измените prompt в manifest.json этой папки',
  engine_unfunded: 'на балансе закончились деньги: пополните его в личном кабинете провайдера',
  engine_misconfigured: 'движок не принимает настройки: проверьте FAL_KEY и таблицу ENGINE_MODELS',
  engine_overloaded: 'движок перегружен: повторите команду позже',
  engine_timed_out: 'движок не успел',
  job_lost: 'движок больше не хранит этот заказ',
  interrupted: 'процесс движка завершился',
  storage_failed: 'диск движка заполнен или не работает',
  job_cancelled: 'заказ отменён в движке: повторите команду',
  engine_error: 'движок ошибся',
};
/** Refusals that concern one order. All others would meet the next one, too. */
const ABOUT_ONE: readonly EngineFailureCode[] = [
  'content_refused',
  'photo_unsuitable',
  'job_cancelled',
  'engine_error',
];

/** What follows from a failure: the next run orders the picture again, or goes on with its order. */
class ShotError extends Error {}
/** No further order makes sense. */
class ObstacleError extends Error {}

/**
 * Makes the pictures that are missing. A picture is ordered once: an order that was sent in an earlier run is followed
 * to its end. An abort lets running submits end and leaves their orders to the next run.
 */
export async function shoot(
  photographer: Photographer,
  folder: ReviewFolder,
  shots: readonly Shot[],
  options: ShootOptions,
): Promise<Shooting> {
  const { signal, onMade } = options;
  const { made, jobs } = folder.progress;
  const missing = shots.filter(({ place }) => !made.has(place));
  // What is paid for already comes first, because fal does not keep it for long.
  const isOrdered = ({ place }: Shot) => jobs.get(place)?.state === 'submitted';
  missing.sort((one, other) => Number(isOrdered(other)) - Number(isOrdered(one)));
  const shooting: Shooting = { ordered: 0, failures: [], obstacle: null };

  async function submit({ place, prompt }: Shot): Promise<EngineJob> {
    folder.noteJob(place, { state: 'submitting' });
    shooting.ordered++;
    const answer = await photographer.submit(prompt).catch((error: unknown) => {
      folder.noteJob(place, null);
      shooting.ordered--;
      throw error instanceof FalUnreachableError ? new ObstacleError('движок не отвечает') : error;
    });
    if (answer.state === 'submitted') {
      folder.noteJob(place, { state: 'submitted', job: answer.job });
      return answer.job;
    }
    if (answer.state === 'uncertain') {
      throw new ShotError(`связь оборвалась при отправке, неизвестно, принят ли заказ (${answer.detail})`);
    }
    folder.noteJob(place, null);
    shooting.ordered--;
    if (answer.state === 'busy') throw new ObstacleError(REASONS.engine_overloaded);
    const reason = describeFailure(answer.failure);
    throw ABOUT_ONE.includes(answer.failure.code) ? new ShotError(reason) : new ObstacleError(reason);
  }

  async function makePicture(shot: Shot): Promise<void> {
    const known = jobs.get(shot.place);
    // After an obstacle only what is paid for already is fetched.
    if (known?.state !== 'submitted' && shooting.obstacle !== null) return;
    const job = known?.state === 'submitted' ? known.job : await submit(shot);
    const output = await followJob(photographer, job, options, () => folder.noteJob(shot.place, null));
    if (!output) return;
    await folder.store(shot.place, output.content, output.contentType).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall) throw new ObstacleError(`файл не записан (${error.code})`);
      folder.noteJob(shot.place, null);
      throw new ShotError('полученный файл не открывается как картинка');
    });
    onMade(shot);
  }

  async function work(queue: Iterator<Shot>): Promise<void> {
    for (let next = queue.next(); !next.done && !signal.aborted; next = queue.next()) {
      const shot = next.value;
      try {
        await makePicture(shot);
      } catch (error) {
        if (error instanceof ShotError) shooting.failures.push({ shot, reason: error.message });
        else shooting.obstacle ??= error instanceof Error ? error.message : String(error);
      }
    }
  }

  const queue = missing.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, () => work(queue)));
  return shooting;
}

interface Made {
  content: Buffer;
  contentType: Exclude<EngineOutput['contentType'], 'video/mp4'>;
}

/**
 * Follows an order to its end and fetches the picture. Null after an abort. `forget` is called when there is nothing
 * left to follow. Throws ShotError and ObstacleError.
 */
async function followJob(
  photographer: Photographer,
  job: EngineJob,
  { signal, pollIntervalMs = POLL_INTERVAL_MS }: ShootOptions,
  forget: () => void,
): Promise<Made | null> {
  const deadline = Date.now() + FOLLOW_MS;
  for (let failedPolls = 0; !signal.aborted; ) {
    try {
      const end = await readEnd(await photographer.poll(job));
      if (end && 'content' in end) return end;
      if (end) {
        forget();
        // Every further picture would be paid for and lost, too.
        if (end.code === 'engine_misconfigured') throw new ObstacleError(describeFailure(end));
        throw new ShotError(`${describeFailure(end)}. Следующий запуск закажет её снова`);
      }
      failedPolls = 0;
    } catch (error) {
      if (error instanceof ShotError || error instanceof ObstacleError) throw error;
      failedPolls++;
      if (failedPolls >= FAILED_POLLS_MAX) {
        throw new ShotError('движок не отвечает, заказ сохранён: следующий запуск его заберёт');
      }
    }
    if (Date.now() > deadline) throw new ShotError('движок всё ещё работает: следующий запуск заберёт заказ');
    await wait(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

/**
 * The picture of a finished job, or why there is none. Null while it waits or runs. Rejects when it cannot be fetched.
 */
async function readEnd(report: EngineReport): Promise<Made | EngineFailure | null> {
  const fail = (code: EngineFailureCode, detail: string): EngineFailure => ({ code, detail, shouldRetry: true });
  if (report.state === 'failed') return report.failure;
  if (report.state === 'unknown') return fail('job_lost', '404');
  if (report.state !== 'completed') return null;
  const [output] = report.outputs;
  if (!output || output.contentType === 'video/mp4') return fail('engine_error', 'no picture');
  return { content: await buffer(await output.open()), contentType: output.contentType };
}

function describeFailure({ code, detail }: EngineFailure): string {
  return `${REASONS[code]} (${detail})`;
}

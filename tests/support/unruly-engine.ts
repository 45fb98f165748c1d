import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type {
  EngineFailure,
  EngineJob,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
  JobPrice,
} from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** What one call of the engine does. `crash`: the process that calls dies. */
export type SubmitEvent =
  | { say: 'submitted' | 'busy' | 'unreachable' }
  | { say: 'refused'; failure: EngineFailure }
  /** `isTaken`: the job was started and is paid for, though the answer got lost. */
  | { say: 'uncertain' | 'crash'; isTaken: boolean };
export type PollEvent =
  | { say: 'queued' | 'running' | 'completed' | 'forgotten' | 'unreachable' | 'crash' }
  | { say: 'failed'; failure: EngineFailure };

/** `cancelled`: if the job has not ended, and nobody was told before that it runs on. One that is paid for runs on. */
export type CancelEvent = { say: 'cancelled' | 'runs_on' | 'unreachable' };

export interface UnrulyEngine extends GenerationEngine {
  /** Jobs that were started, and are paid for unless a failure was free, by generation and output: `id/position`. */
  readonly paid: ReadonlyMap<string, number>;
  /** Submits whose answer was lost, with or without a job, by generation and output: `id/position`. Without crashes. */
  readonly lostAnswers: ReadonlyMap<string, number>;
  /** What the provider charges in the end for a generation, in millionths. */
  chargedMicros(generationId: string): number;
}

interface UnrulyOptions {
  files: { video: string; picture: string };
  /** Whether the engine can be asked for a job whose submit was interrupted. */
  canFindJobs: boolean;
  nextSubmit(order: GenerationOrder): SubmitEvent;
  nextPoll(): PollEvent;
  /** Absent: the engine can never stop a job. */
  nextCancel?(): CancelEvent;
  /** Ends the calling process. The call never comes back. */
  crash(): Error;
}

const CANCELLED: EngineFailure = { code: 'job_cancelled', detail: 'chaos', shouldRetry: false };

export class UnrulyUnreachableError extends Error {
  constructor() {
    super('unruly engine: connection refused');
  }
}

export const UNRULY_PRICE: JobPrice = { micros: 350_000, currency: 'USD' };

interface UnrulyJob {
  key: string;
  order: GenerationOrder;
  isFree: boolean;
  /** False once somebody was told that it runs on. By the contract of an engine it then does. */
  canBeStopped: boolean;
  /** What became of the job. It does not change any more. */
  end: EngineReport | null;
}

/** A remote engine that is paid by the job and does what the test decides, call by call. It keeps the provider's books. */
export function createUnrulyEngine(options: UnrulyOptions): UnrulyEngine {
  const jobs = new Map<string, UnrulyJob>();
  const paid = new Map<string, number>();
  const lostAnswers = new Map<string, number>();
  const keyOf = ({ generationId, positions }: GenerationOrder) => `${generationId}/${positions[0]}`;

  function take(order: GenerationOrder): EngineJob {
    const key = keyOf(order);
    paid.set(key, (paid.get(key) ?? 0) + 1);
    const id = randomUUID();
    jobs.set(id, { key, order, isFree: false, canBeStopped: true, end: null });
    return { id, details: { runId: order.runId } };
  }

  function end(job: UnrulyJob, report: EngineReport, isFree: boolean): EngineReport {
    job.isFree = isFree;
    job.end = report;
    return report;
  }

  async function cancel({ id }: EngineJob): Promise<'cancelled' | 'runs_on'> {
    const event = options.nextCancel?.() ?? { say: 'runs_on' };
    if (event.say === 'unreachable') throw new UnrulyUnreachableError();
    const job = jobs.get(id);
    if (!job) return 'cancelled';
    if (job.end) return job.isFree ? 'cancelled' : 'runs_on';
    if (event.say === 'runs_on') job.canBeStopped = false;
    if (!job.canBeStopped) return 'runs_on';
    end(job, { state: 'failed', failure: CANCELLED }, true);
    return 'cancelled';
  }

  return {
    name: 'unruly',
    abilities: {
      video: { mover: 'person', seconds: VIDEO_SECONDS, aspectRatios: ASPECT_RATIOS },
      model_change: { change: 'model_change' },
      photosession: { frames: 'poses' },
      try_on: true,
    },
    photosTravel: 'abroad',
    makesFinalFiles: true,
    outputsOfOrder: 'apart',
    pollIntervalMs: 1,
    concurrency: 8,
    submitTimeoutMs: 0,
    paid,
    lostAnswers,
    chargedMicros(generationId) {
      const charged = [...jobs.values()].filter(({ order, isFree }) => order.generationId === generationId && !isFree);
      return charged.length * UNRULY_PRICE.micros;
    },
    describeModel: ({ kind }) => `unruly/${kind}`,
    priceOf: () => UNRULY_PRICE,
    async submit(order) {
      const event = options.nextSubmit(order);
      switch (event.say) {
        case 'submitted':
          return { state: 'submitted', job: take(order) };
        case 'busy':
          return { state: 'busy' };
        case 'unreachable':
          throw new UnrulyUnreachableError();
        case 'refused':
          return { state: 'refused', failure: event.failure };
        case 'uncertain':
          if (event.isTaken) take(order);
          lostAnswers.set(keyOf(order), (lostAnswers.get(keyOf(order)) ?? 0) + 1);
          return { state: 'uncertain', detail: 'the connection broke' };
        case 'crash':
          if (event.isTaken) take(order);
          throw options.crash();
      }
    },
    ...(options.canFindJobs
      ? {
          findJob: async ({ runId }: GenerationOrder) => {
            const found = [...jobs].find(([, job]) => job.order.runId === runId);
            return found ? { id: found[0], details: { runId } } : null;
          },
        }
      : {}),
    async poll({ id }) {
      const job = jobs.get(id);
      if (!job) return { state: 'unknown' };
      if (job.end) return job.end;
      const event = options.nextPoll();
      switch (event.say) {
        case 'queued':
          return { state: 'queued' };
        case 'running':
          return { state: 'running', share: 0.5 };
        case 'completed':
          return end(job, { state: 'completed', outputs: outputsOf(job.order, options.files) }, false);
        case 'failed':
          return end(job, { state: 'failed', failure: event.failure }, !event.failure.isCharged);
        case 'forgotten':
          return end(job, { state: 'unknown' }, false);
        case 'unreachable':
          throw new UnrulyUnreachableError();
        case 'crash':
          throw options.crash();
      }
    },
    ...(options.nextCancel ? { cancel } : {}),
    async dispose() {},
    async close() {},
  };
}

function outputsOf({ kind, positions }: GenerationOrder, files: UnrulyOptions['files']) {
  const isVideo = TOOLS[kind].outputs.type === 'video';
  return positions.map((position) => ({
    contentType: isVideo ? ('video/mp4' as const) : ('image/jpeg' as const),
    position,
    open: async () => createReadStream(isVideo ? files.video : files.picture),
  }));
}

/** The context in which every order goes to this engine. */
export function withEngine(app: AppContext, engine: UnrulyEngine): AppContext {
  return { ...app, engines: { all: [engine], of: () => engine, find: () => engine } };
}

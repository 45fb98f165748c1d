import { createReadStream } from 'node:fs';
import type {
  EngineAbilities,
  EngineFailure,
  EngineJob,
  EngineOutput,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';

interface OutputFile {
  path: string;
  /** Index among the outputs. By default the index in the list. */
  position?: number;
  contentType: EngineOutput['contentType'];
}

/** What the engine reports about its jobs. During the first `afterPolls` polls it reports that the job runs. */
export type FakeBehaviour =
  | { say: 'completed'; outputs: OutputFile[]; afterPolls?: number }
  | { say: 'failed'; failure: EngineFailure; afterPolls?: number }
  | { say: 'queued' | 'unknown'; afterPolls?: number }
  /** `outputs` are ready; the engine is still making the others. `share`: how much of the work is done, by default null. */
  | { say: 'running'; outputs?: OutputFile[]; share?: number; afterPolls?: number }
  /** Start and poll fail. */
  | { say: 'unreachable'; afterPolls?: number };

interface FakeJob {
  order: GenerationOrder;
  polls: number;
  starts: number;
}

/** A remote engine that a test controls. It records its calls. */
export interface FakeEngine extends GenerationEngine {
  /** Sets the behaviour of all jobs from now on. */
  behave(behaviour: FakeBehaviour): void;
  /** Sets the answer to cancellations. */
  answerCancel(answer: 'cancelled' | 'runs_on'): void;
  /** Whether it makes new pixels, which it does at first, or only moves those of the photo. */
  setGenerative(isGenerative: boolean): void;
  /** By job id. */
  readonly jobs: ReadonlyMap<string, Readonly<FakeJob>>;
  readonly cancelled: readonly string[];
  readonly disposed: readonly string[];
}

/** Jobs run until `behave` is called. */
export function createFakeEngine(): FakeEngine {
  let behaviour: FakeBehaviour = { say: 'running' };
  let cancelAnswer: 'cancelled' | 'runs_on' = 'cancelled';
  const jobs = new Map<string, FakeJob>();
  const cancelled: string[] = [];
  const disposed: string[] = [];

  // A test of try-on sets it.
  const abilities: EngineAbilities = { ...describeAbilities(true), try_on: null };

  const assertReachable = () => {
    if (behaviour.say === 'unreachable') throw new Error('fake engine: connection refused');
  };
  return {
    name: 'fake',
    abilities,
    photosTravel: 'nowhere',
    makesFinalFiles: true,
    outputsOfOrder: 'together',
    pollIntervalMs: 20,
    concurrency: 4,
    submitTimeoutMs: 0,
    describeModel: () => 'fake',
    priceOf: () => null,
    jobs,
    cancelled,
    disposed,
    behave(next) {
      behaviour = next;
    },
    setGenerative: (isGenerative) => void Object.assign(abilities, describeAbilities(isGenerative)),
    answerCancel(next) {
      cancelAnswer = next;
    },
    async submit(order) {
      assertReachable();
      const job = jobFor(order);
      jobs.set(job.id, { order, polls: 0, starts: (jobs.get(job.id)?.starts ?? 0) + 1 });
      return { state: 'submitted', job };
    },
    async findJob(order) {
      const job = jobFor(order);
      return jobs.has(job.id) ? job : null;
    },
    async poll({ id }) {
      const job = jobs.get(id);
      if (job) job.polls += 1;
      const isEarly = (job?.polls ?? 0) <= (behaviour.afterPolls ?? 0);
      if (isEarly) return { state: 'running', share: null };
      assertReachable();
      return job ? report(behaviour) : { state: 'unknown' };
    },
    async cancel({ id }) {
      cancelled.push(id);
      return cancelAnswer;
    },
    async dispose({ id }) {
      disposed.push(id);
    },
    async close() {},
  };
}

function describeAbilities(isGenerative: boolean): Omit<EngineAbilities, 'try_on'> {
  return {
    video: { mover: isGenerative ? 'person' : 'camera', seconds: VIDEO_SECONDS, aspectRatios: ASPECT_RATIOS },
    model_change: { change: isGenerative ? 'model_change' : 'background_change' },
    photosession: { frames: isGenerative ? 'poses' : 'views' },
  };
}

function jobFor({ generationId }: GenerationOrder): EngineJob {
  return { id: `fake-${generationId}`, details: {} };
}

function report(behaviour: FakeBehaviour): EngineReport {
  switch (behaviour.say) {
    case 'completed':
      return { state: 'completed', outputs: behaviour.outputs.map(handIn) };
    case 'failed':
      return { state: 'failed', failure: behaviour.failure };
    case 'running':
      return { state: 'running', share: behaviour.share ?? null, outputs: (behaviour.outputs ?? []).map(handIn) };
    case 'queued':
    case 'unknown':
      return { state: behaviour.say };
    case 'unreachable':
      throw new Error('fake engine: connection refused');
  }
}

function handIn({ path, contentType, position }: OutputFile, index: number): EngineOutput {
  return { contentType, position: position ?? index, open: async () => createReadStream(path) };
}

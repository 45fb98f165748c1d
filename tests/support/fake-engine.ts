import { createReadStream } from 'node:fs';
import type {
  EngineFailure,
  EngineOutput,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';

interface OutputFile {
  path: string;
  /** Its place among the outputs; that in the list unless said otherwise. */
  position?: number;
  contentType: EngineOutput['contentType'];
}

/** What the engine says of its jobs, from the poll with this number on (0: from the first); before it is at work. */
export type FakeBehaviour =
  | { say: 'completed'; outputs: OutputFile[]; afterPolls?: number }
  | { say: 'failed'; failure: EngineFailure; afterPolls?: number }
  | { say: 'queued' | 'unknown'; afterPolls?: number }
  /** With `outputs`: these are ready, the others still in the making. */
  | { say: 'running'; outputs?: OutputFile[]; afterPolls?: number }
  /** Neither start nor poll gets through. */
  | { say: 'unreachable'; afterPolls?: number };

interface FakeJob {
  order: GenerationOrder;
  polls: number;
  starts: number;
}

/** An outside engine under a test's command; what it was asked is written down. */
export interface FakeEngine extends GenerationEngine {
  /** From now on, for all jobs. */
  behave(behaviour: FakeBehaviour): void;
  /** What a cancellation answers. */
  answerCancel(answer: 'cancelled' | 'runs_on'): void;
  /** By job id. */
  readonly jobs: ReadonlyMap<string, Readonly<FakeJob>>;
  readonly cancelled: readonly string[];
  readonly disposed: readonly string[];
}

/** Jobs stay running until `behave` says otherwise. */
export function createFakeEngine(): FakeEngine {
  let behaviour: FakeBehaviour = { say: 'running' };
  let cancelAnswer: 'cancelled' | 'runs_on' = 'cancelled';
  const jobs = new Map<string, FakeJob>();
  const cancelled: string[] = [];
  const disposed: string[] = [];

  const assertReachable = () => {
    if (behaviour.say === 'unreachable') throw new Error('fake engine: connection refused');
  };
  return {
    name: 'fake',
    isGenerative: true,
    pollIntervalMs: 20,
    concurrency: 4,
    jobs,
    cancelled,
    disposed,
    behave(next) {
      behaviour = next;
    },
    answerCancel(next) {
      cancelAnswer = next;
    },
    async start(order) {
      assertReachable();
      const id = `fake-${order.generationId}`;
      const known = jobs.get(id);
      jobs.set(id, { order, polls: 0, starts: (known?.starts ?? 0) + 1 });
      return id;
    },
    async poll(jobId) {
      const job = jobs.get(jobId);
      if (job) job.polls += 1;
      const isEarly = (job?.polls ?? 0) <= (behaviour.afterPolls ?? 0);
      if (isEarly) return { state: 'running', share: null };
      assertReachable();
      return job ? report(behaviour) : { state: 'unknown' };
    },
    async cancel(jobId) {
      cancelled.push(jobId);
      return cancelAnswer;
    },
    async dispose(jobId) {
      disposed.push(jobId);
    },
    async close() {},
  };
}

function report(behaviour: FakeBehaviour): EngineReport {
  switch (behaviour.say) {
    case 'completed':
      return { state: 'completed', outputs: behaviour.outputs.map(handIn) };
    case 'failed':
      return { state: 'failed', failure: behaviour.failure };
    case 'running':
      return { state: 'running', share: 0.5, outputs: (behaviour.outputs ?? []).map(handIn) };
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

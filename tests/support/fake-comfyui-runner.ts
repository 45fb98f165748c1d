import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeWorkflow, validateWorkflow } from './fake-comfyui-nodes.ts';
import { type FakeResult, makeResult } from './fake-comfyui-results.ts';
import { type ComfyuiVersion, VERSIONS } from './fake-comfyui-versions.ts';

export interface FakeComfyuiBehaviour {
  /** Milliseconds of one sampler step. Null: nothing goes on until `step` or `finish`. */
  stepMs: number | null;
  version: ComfyuiVersion;
  /** The proxy before the server wants this token. Null: there is no proxy. */
  token: string | null;
  /** The proxy answers every call with this. */
  proxyAnswer: 401 | 403 | 502 | 504 | null;
  /** In bytes, of every body. */
  maxBody: number;
  missingModels: string[];
  missingNodes: string[];
  /** A stopped job ends its step first, as nodes do that never look whether they are interrupted. */
  endsSteps: boolean;
  /** Downloads end in the middle. */
  cutsDownloads: boolean;
  /** Whether websockets are answered. */
  hasWebSocket: boolean;
}

/** How a job ends. `error` is any failure of a node. */
export type FakeEnd =
  | { kind: 'success' }
  | { kind: 'out_of_memory' | 'interrupted' }
  | { kind: 'error'; nodeType: string; exceptionType: string; message: string };

export interface FakeComfyuiJob {
  id: string;
  number: number;
  clientId: string | undefined;
  workflow: FakeWorkflow;
  extraData: object;
  /** The output nodes that are valid. */
  outputs: string[];
  state: 'pending' | 'running' | 'ended' | 'deleted';
  createdAt: number;
}

interface HistoryEntry {
  prompt: unknown[];
  outputs: FakeResult['outputs'];
  status: { status_str: 'success' | 'error'; completed: boolean; messages: [string, object][] };
  /** Newer servers tell for each output node which one it stands for. */
  meta: object;
}

/** Between the last message about a job and its entry in the history. */
const HISTORY_DELAY_MS = 100;

/** What a client listens with. */
export interface Listener {
  sendText(text: string): void;
  sendBinary(bytes: Buffer): void;
}

interface RunnerParts {
  behaviour: FakeComfyuiBehaviour;
  uploads: ReadonlyMap<string, Buffer>;
  /** By client id. */
  listeners: ReadonlyMap<string, Listener>;
}

/** The part of the fake that keeps the queue, executes one job at a time and remembers what became of each. */
export function createFakeRunner({ behaviour, uploads, listeners }: RunnerParts) {
  const jobs: FakeComfyuiJob[] = [];
  /** The folder of outputs, by subfolder and name. */
  const files = new Map<string, Buffer>();
  const ends: FakeEnd[] = [];
  /** Results by workflow: the same one again executes nothing. */
  const cache = new Map<string, FakeResult>();
  let history: Record<string, HistoryEntry> = {};
  let queue: FakeComfyuiJob[] = [];
  /** Counts restarts, so that what ran before one has no effect after it. */
  let life = 0;
  let allowedSteps = 0;
  let interrupted: string | null = null;
  let lastNumber = 0;

  const tell = (job: FakeComfyuiJob, type: string, data: object) => {
    listeners.get(job.clientId ?? '')?.sendText(JSON.stringify({ type, data: { prompt_id: job.id, ...data } }));
  };

  /** Waits until the job may make its next step. False when it was interrupted or the server restarted. */
  async function awaitStep(job: FakeComfyuiJob, ownLife: number): Promise<boolean> {
    if (behaviour.stepMs !== null) await sleep(behaviour.stepMs);
    else {
      const mayStop = () => interrupted === job.id && !behaviour.endsSteps;
      while (allowedSteps === 0 && !mayStop() && life === ownLife) await sleep(5);
      allowedSteps = Math.max(0, allowedSteps - 1);
    }
    return interrupted !== job.id && life === ownLife;
  }

  async function runNext(): Promise<void> {
    if (queue.some(({ state }) => state === 'running')) return;
    const [job] = queue.sort((one, other) => one.number - other.number);
    if (!job) return;
    const ownLife = life;
    job.state = 'running';
    const messages: [string, object][] = [];
    const note = (type: string, data: object = {}) => {
      const timed = { ...data, timestamp: Date.now() };
      messages.push([type, { prompt_id: job.id, ...timed }]);
      tell(job, type, timed);
    };
    note('execution_start');
    const key = JSON.stringify(job.workflow);
    const known = cache.get(key);
    note('execution_cached', { nodes: known ? Object.keys(job.workflow) : [] });
    const isDone = known ? true : await sample(job, ownLife);
    if (life !== ownLife) return;
    const end: FakeEnd = isDone ? (ends.shift() ?? { kind: 'success' }) : { kind: 'interrupted' };
    let outputs: FakeResult['outputs'] = {};
    if (end.kind === 'success') {
      const result = known ?? (await makeResult(job, uploads));
      cache.set(key, result);
      outputs = result.outputs;
      if (!known) for (const [name, content] of result.files) files.set(name, content);
      for (const [node, output] of Object.entries(outputs)) tell(job, 'executed', { node, display_node: node, output });
      note('execution_success');
    } else note(...describeEnd(end));
    await sleep(HISTORY_DELAY_MS);
    if (life !== ownLife) return;
    job.state = 'ended';
    queue = queue.filter((one) => one !== job);
    const status_str = end.kind === 'success' ? 'success' : 'error';
    const meta = Object.keys(outputs).map((id) => [id, describeNodeIds(id)]);
    history[job.id] = {
      prompt: describeJob(job),
      outputs,
      status: { status_str, completed: status_str === 'success', messages },
      meta: Object.fromEntries(meta),
    };
    tell(job, 'executing', { node: null });
    void runNext();
  }

  /** Plays the sampler steps. False when the job was interrupted. */
  async function sample(job: FakeComfyuiJob, ownLife: number): Promise<boolean> {
    const samplers = Object.entries(job.workflow).filter(([, { inputs }]) => 'latent_image' in inputs);
    const nodes: Record<string, { value: number; max: number; state: string }> = {};
    if (samplers.length === 0) return awaitStep(job, ownLife);
    for (const [node, { inputs }] of samplers) {
      const max = Number(inputs.end_at_step ?? inputs.steps) - Number(inputs.start_at_step ?? 0);
      tell(job, 'executing', { node, display_node: node });
      for (let value = 1; value <= max; value++) {
        if (!(await awaitStep(job, ownLife))) return false;
        tell(job, 'progress', { value, max, node });
        nodes[node] = { value, max, state: value === max ? 'finished' : 'running' };
        if (VERSIONS[behaviour.version].sumsProgress)
          tell(job, 'progress_state', { nodes: describeSteps(job.id, nodes) });
        // A preview: event 1, format 1, and bytes of a JPEG.
        listeners.get(job.clientId ?? '')?.sendBinary(Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8]));
      }
      // The next sampler begins anew, and older clients let the bar fall.
      tell(job, 'progress', { value: 0, max, node });
    }
    return true;
  }

  function submit(body: Record<string, unknown>): { status: number; answer: object } {
    const workflow = body.prompt as FakeWorkflow | undefined;
    if (!workflow) {
      return { status: 400, answer: { error: { type: 'no_prompt', message: 'No prompt provided' }, node_errors: {} } };
    }
    const { ids } = VERSIONS[behaviour.version];
    const given = ids === 'own' ? undefined : body.prompt_id;
    const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(given));
    if (given !== undefined && ids === 'uuids' && !isUuid) {
      return { status: 400, answer: { error: { type: 'invalid_prompt_id', message: 'not a UUID' }, node_errors: {} } };
    }
    const hasInput = (file: string) => file === 'example.png' || uploads.has(file);
    const verdict = validateWorkflow(workflow, behaviour, hasInput);
    if ('error' in verdict) return { status: 400, answer: { ...verdict, node_errors: {} } };
    const { outputs, faults: node_errors } = verdict;
    if (outputs.length === 0) {
      const error = { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' };
      return { status: 400, answer: { error: { ...error, details: '', extra_info: {} }, node_errors } };
    }
    const job: FakeComfyuiJob = {
      id: given === undefined ? randomUUID() : String(given),
      number: ++lastNumber,
      workflow,
      outputs,
      clientId: body.client_id as string | undefined,
      extraData: (body.extra_data as object) ?? {},
      state: 'pending',
      createdAt: Date.now(),
    };
    jobs.push(job);
    queue.push(job);
    void runNext();
    return { status: 200, answer: { prompt_id: job.id, number: job.number, node_errors } };
  }

  function describeQueue(): object {
    const list = (state: string) => queue.filter((job) => job.state === state).map(describeJob);
    return { queue_running: list('running'), queue_pending: list('pending') };
  }

  function interrupt(id: unknown): void {
    const running = queue.find(({ state }) => state === 'running');
    const isMeant = !VERSIONS[behaviour.version].interruptsById || id === undefined || id === running?.id;
    if (running && isMeant) interrupted = running.id;
  }

  function remove(ids: readonly string[]): void {
    for (const job of queue) if (job.state === 'pending' && ids.includes(job.id)) job.state = 'deleted';
    queue = queue.filter(({ state }) => state !== 'deleted');
  }

  /** The answer of the jobs API. */
  function findJob(id: string): object | null {
    const job = jobs.findLast((one) => one.id === id);
    const common = { id, priority: job?.number, create_time: job?.createdAt, workflow: { prompt: job?.workflow } };
    const queued = queue.find((one) => one.id === id);
    if (queued) return { ...common, status: queued.state === 'running' ? 'in_progress' : 'pending', outputs_count: 0 };
    const entry = history[id];
    if (!entry) return null;
    const { outputs, status: execution_status } = entry;
    const isInterrupted = execution_status.messages.some(([type]) => type === 'execution_interrupted');
    const failed = isInterrupted ? 'cancelled' : 'failed';
    const status = execution_status.status_str === 'success' ? 'completed' : failed;
    return { ...common, status, outputs, execution_status, outputs_count: Object.keys(outputs).length };
  }

  function restart(): void {
    life++;
    queue = [];
    history = {};
    cache.clear();
  }

  return {
    jobs,
    files,
    submit,
    describeQueue,
    interrupt,
    remove,
    findJob,
    restart,
    countQueued: () => queue.length,
    listHistory: (id?: string) => (id === undefined ? history : history[id] ? { [id]: history[id] } : {}),
    forget: (id: string) => void delete history[id],
    endNext: (...next: FakeEnd[]) => void ends.push(...next),
    step: (steps: number) => {
      allowedSteps += steps;
    },
    async finish() {
      const running = queue.find(({ state }) => state === 'running');
      if (!running) throw new Error('no job runs');
      while (running.state === 'running' && queue.includes(running)) {
        allowedSteps = 1;
        await sleep(5);
      }
      allowedSteps = 0;
    },
  };
}

function describeJob({ number, id, workflow, extraData, createdAt, clientId, outputs }: FakeComfyuiJob): unknown[] {
  return [number, id, workflow, { ...extraData, create_time: createdAt, client_id: clientId }, outputs];
}

function describeNodeIds(id: string): object {
  return { node_id: id, display_node: id, parent_node: null, real_node_id: id };
}

/** The progress of each node as `progress_state` tells it. */
function describeSteps(prompt_id: string, nodes: Record<string, object>): object {
  const described = Object.entries(nodes).map(([id, step]) => {
    return [id, { ...step, prompt_id, node_id: id, display_node_id: id, parent_node_id: null, real_node_id: id }];
  });
  return Object.fromEntries(described);
}

/** The last message of a job that failed. */
function describeEnd(end: Exclude<FakeEnd, { kind: 'success' }>): [string, object] {
  switch (end.kind) {
    case 'interrupted':
      return ['execution_interrupted', { node_id: '1', node_type: 'KSampler', executed: [] }];
    case 'out_of_memory':
      return describeError('KSampler', 'torch.OutOfMemoryError', 'Allocation on device 0 would exceed allowed memory.');
    case 'error':
      return describeError(end.nodeType, end.exceptionType, end.message);
  }
}

function describeError(node_type: string, exception_type: string, exception_message: string): [string, object] {
  const traceback = ['  File "/srv/comfyui/execution.py", line 1, in execute\n'];
  return ['execution_error', { node_id: '1', node_type, executed: [], exception_type, exception_message, traceback }];
}

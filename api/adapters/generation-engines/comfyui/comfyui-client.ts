import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { parseJson } from '#api/platform/parse-json.ts';
import {
  asJson,
  assertOk,
  type CallOptions,
  type Calls,
  ComfyuiError,
  createCalls,
  lenientNodeErrors,
  listNodeFaults,
} from './server-calls.ts';

export interface WorkflowNode {
  class_type: string;
  inputs: Record<string, unknown>;
  _meta?: { title?: string | undefined } | undefined;
}
/** A workflow in API format, by the ids of its nodes. */
export type Workflow = Record<string, WorkflowNode>;

/** The inputs of each node class of a server, required and optional, with their specification. */
export type NodeCatalogue = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface OutputFile {
  filename: string;
  subfolder: string;
  type: string;
}

/** What became of a job that has ended. */
export interface HistoryEntry {
  /** By node id, then by kind of output. */
  outputs: Record<string, Record<string, unknown>>;
  isSuccess: boolean;
  /** Events of the execution with their data, oldest first. */
  messages: [string, Record<string, unknown>][];
}

export type ComfyuiClient = ReturnType<typeof createComfyuiClient>;

/** Uploads and results are kept in this folder of the server, so that an operator can empty it. */
export const SERVER_FOLDER = 'podium';

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
/** Servers before the jobs API, and proxies that do not let it through. */
const NO_JOBS_API = new Set([403, 404, 405]);

const extraData = z.object({ podium_run: z.string() });
/** A list: number, id, workflow, extra data, outputs. `runId`: our id of the job. Null when the job is not ours. */
const queueEntry = z
  .array(z.unknown())
  .transform((entry) => ({ id: String(entry[1]), runId: extraData.safeParse(entry[3]).data?.podium_run ?? null }));
const queue = z.object({ queue_running: z.array(queueEntry), queue_pending: z.array(queueEntry) });
const history = z.record(
  z.string(),
  z.object({
    prompt: queueEntry.optional(),
    outputs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
    status: z
      .object({
        status_str: z.string(),
        messages: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])).default([]),
      })
      .nullish(),
  }),
);
const job = z.object({ status: z.enum(['pending', 'in_progress', 'completed', 'failed', 'cancelled']) });
const STATUSES = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'ended',
  failed: 'ended',
  cancelled: 'ended',
} as const;
const submitted = z.object({ prompt_id: z.string().min(1), node_errors: lenientNodeErrors.optional() });
const uploaded = z.object({ name: z.string().min(1), subfolder: z.string().default('') });
const inputs = z.record(z.string(), z.unknown()).default({});
const objectInfo = z.record(
  z.string(),
  z.object({ input: z.object({ required: inputs, optional: inputs }).default({ required: {}, optional: {} }) }),
);

/** One ComfyUI server. Methods throw ComfyuiError. */
export function createComfyuiClient(options: CallOptions) {
  const calls = createCalls(options);
  const { call, post } = calls;
  return {
    ...createLookUps(calls),
    async readNodes(): Promise<NodeCatalogue> {
      const classes = Object.entries(await call('/object_info', objectInfo, { timeoutMs: 2 * options.timeoutMs }));
      return new Map(classes.map(([name, { input }]) => [name, { ...input.optional, ...input.required }]));
    },
    /** `content`: a JPEG. Returns the value for the input of a LoadImage node. */
    async upload({ name, content }: { name: string; content: Buffer }, signal: AbortSignal): Promise<string> {
      const form = new FormData();
      form.set('image', new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), name);
      form.set('type', 'input');
      form.set('subfolder', SERVER_FOLDER);
      const sent = { method: 'POST', body: form, signal, timeoutMs: 4 * options.timeoutMs };
      const file = await call('/upload/image', uploaded, sent);
      // The server renames a file when another one has its name.
      return file.subfolder ? `${file.subfolder}/${file.name}` : file.name;
    },
    /** `faults`: the nodes that the server leaves out, with the reasons. */
    async submit(workflow: Workflow, runId: string, signal: AbortSignal) {
      const body = { prompt: workflow, prompt_id: runId, client_id: runId, extra_data: { podium_run: runId } };
      const answer = await call('/prompt', submitted, { method: 'POST', ...asJson(body), signal });
      return { id: answer.prompt_id, faults: listNodeFaults(answer.node_errors ?? {}) };
    },
    /** Takes a waiting job out of the queue and interrupts a running one. Never touches another job. */
    async stop(jobId: string): Promise<void> {
      await post('/queue', { delete: [jobId] });
      // Older servers ignore the id and interrupt whatever runs.
      const { queue_running } = await call('/queue', queue);
      if (queue_running.some(({ id }) => id === jobId)) await post('/interrupt', { prompt_id: jobId });
    },
    deleteHistory: (jobId: string) => post('/history', { delete: [jobId] }),
    /** False when the server says that it has no such file. */
    async hasFile(file: OutputFile): Promise<boolean> {
      const { status } = await calls.read(addressOf(file), { method: 'HEAD' });
      return status !== 404;
    },
    async open(file: OutputFile): Promise<Readable> {
      const path = addressOf(file);
      const response = await calls.send(path, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        assertOk(response.status, '', path);
        throw new ComfyuiError('faulty', `${path} answered without a file`);
      }
      return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    },
  };
}

function addressOf({ filename, subfolder, type }: OutputFile): string {
  return `/view?${new URLSearchParams({ filename, subfolder, type })}`;
}

/** Finding jobs: by the jobs API where the server has it, otherwise in queue and history. */
function createLookUps({ read, call }: Calls) {
  let lacksJobsApi = false;

  async function findByJobsApi(jobId: string): Promise<z.output<typeof job> | 'no_api' | null> {
    if (lacksJobsApi) return 'no_api';
    const path = `/api/jobs/${jobId}`;
    const { status, text } = await read(path);
    if (status === 404 && /job not found/i.test(text)) return null;
    if (NO_JOBS_API.has(status)) {
      lacksJobsApi = true;
      return 'no_api';
    }
    assertOk(status, text, path);
    const found = job.safeParse(parseJson(text));
    if (!found.success) throw new ComfyuiError('faulty', `${path} answered what cannot be read`);
    return found.data;
  }

  async function readQueue() {
    const { queue_running, queue_pending } = await call('/queue', queue);
    return { running: queue_running, pending: queue_pending };
  }

  /** Null while the job waits or runs, and when it is unknown. */
  async function readHistory(jobId: string): Promise<HistoryEntry | null> {
    const entry = (await call(`/history/${jobId}`, history))[jobId];
    if (!entry) return null;
    const { outputs, status } = entry;
    return { outputs, isSuccess: status?.status_str === 'success', messages: status?.messages ?? [] };
  }

  return {
    readQueue,
    readHistory,
    /** `ended`: the history has it. Null: the server does not know the job. */
    async findStatus(jobId: string): Promise<'pending' | 'running' | 'ended' | null> {
      const found = await findByJobsApi(jobId);
      if (found === null) return null;
      if (found !== 'no_api') return STATUSES[found.status];
      if (await readHistory(jobId)) return 'ended';
      const { running, pending } = await readQueue();
      if (running.some(({ id }) => id === jobId)) return 'running';
      if (pending.some(({ id }) => id === jobId)) return 'pending';
      // The job may have moved from the queue to the history between both questions.
      return (await readHistory(jobId)) ? 'ended' : null;
    },
    /** The server's id of our job. Older servers give their own ids. */
    async findOwnJob(runId: string): Promise<string | null> {
      const found = await findByJobsApi(runId);
      if (found !== 'no_api') return found && runId;
      const { running, pending } = await readQueue();
      const queued = [...running, ...pending].find((entry) => entry.id === runId || entry.runId === runId);
      if (queued) return queued.id;
      const ended = Object.entries(await call('/history', history));
      return ended.find(([id, { prompt }]) => id === runId || prompt?.runId === runId)?.[0] ?? null;
    },
  };
}

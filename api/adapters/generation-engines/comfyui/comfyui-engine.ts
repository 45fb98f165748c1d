import { setTimeout as wait } from 'node:timers/promises';
import type {
  EngineAbilities,
  EngineJob,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import type { ComfyuiClient } from './comfyui-client.ts';
import { describeJob, nameOutput, nameTemplate, type ReducedOutputs } from './engine-job.ts';
import { createPoll } from './follow-job.ts';
import { createJobProgress } from './job-progress.ts';
import { ComfyuiError } from './server-calls.ts';
import { createServers, type Log, type Servers } from './servers.ts';
import { createSubmit, SUBMIT_TIMEOUT_MS } from './submit-order.ts';
import { loadTemplates, type WorkflowTemplate, WorkflowTemplateError } from './workflow-templates.ts';

export interface ComfyuiEngineOptions {
  /** Without trailing slashes. */
  urls: readonly string[];
  /** Bearer token of the proxy before the servers. */
  token: string | undefined;
  /** Templates in API format. */
  workflowsDir: string;
  log: Log;
  /** For tests: shorter pauses. */
  pauses?: Partial<typeof PAUSES>;
}

const PAUSES = {
  pollMs: 2_000,
  /** For a call that carries no files. */
  callTimeoutMs: 15_000,
  /** After the first failure of a server. */
  firstRetryMs: 5_000,
  longestRetryMs: 120_000,
  forgottenAfterMs: 10_000,
  deadAfterMs: 30_000,
  /** Between two looks whether a job has stopped. */
  stopLookMs: 200,
};

/** How often it is looked whether a job stops. Most nodes take less than these five seconds. */
const STOP_LOOKS = 25;
/** Wan repeats itself in longer videos. */
const VIDEO_SECONDS = [5] as const;

/**
 * ComfyUI on the operator's own servers. A job costs nothing, so one that may be lost is simply started again. Results
 * carry the workflow as metadata, which has to be removed when they are stored. Throws WorkflowTemplateError when a
 * template is wrong or does not fit a server. A server that cannot be reached is only logged.
 */
export async function createComfyuiEngine(options: ComfyuiEngineOptions): Promise<GenerationEngine> {
  const { urls, token, workflowsDir, log } = options;
  const pauses = { ...PAUSES, ...options.pauses };
  const { pollMs, callTimeoutMs, firstRetryMs, longestRetryMs, stopLookMs, ...patience } = pauses;
  const templates = await loadTemplates(workflowsDir);
  const retryPausesMs = [firstRetryMs, longestRetryMs] as const;
  const servers = createServers({ urls, token, templates, callTimeoutMs, retryPausesMs, log });
  const faults = await servers.inspect();
  if (faults.length > 0) throw new WorkflowTemplateError(workflowsDir, faults);
  const progress = createJobProgress(token);
  const reduced: ReducedOutputs = new Set();
  const closing = new AbortController();
  return {
    name: 'comfyui',
    abilities: describeAbilities(templates),
    photosTravel: 'operator',
    makesFinalFiles: false,
    outputsOfOrder: 'apart',
    pollIntervalMs: pollMs,
    concurrency: urls.length,
    submitTimeoutMs: SUBMIT_TIMEOUT_MS,
    describeModel: nameTemplate,
    priceOf: () => null,
    submit: createSubmit({ servers, templates, progress, reduced }),
    findJob: (order) => findJob(order, { servers, templates, reduced }),
    poll: createPoll({ servers, progress, reduced, ...patience }),
    async cancel(job) {
      const server = servers.find(job.details.server);
      if (!server) return 'runs_on';
      const isStopped = await stopJob(server.client, job.id, stopLookMs);
      if (isStopped) progress.forget(job.id);
      return isStopped ? 'cancelled' : 'runs_on';
    },
    async check() {
      const looks = await Promise.allSettled(servers.all.map(({ client }) => client.readQueue()));
      const away = servers.all.filter((_, index) => looks[index]?.status === 'rejected').map(({ url }) => url);
      const problems = [...away.map((url) => `${url} does not answer`), ...(await servers.inspect())];
      if (problems.length > 0) throw new Error(problems.join('; '));
    },
    async dispose(job) {
      progress.forget(job.id);
      const client = servers.find(job.details.server)?.client;
      if (!client) return;
      const removal = removeTraces(client, job.id, { ...pauses, signal: closing.signal });
      // Nobody waits for a job that still runs.
      await Promise.race([removal, wait(STOP_LOOKS * stopLookMs, undefined, { ref: false })]);
    },
    async close() {
      closing.abort();
      progress.close();
    },
  };
}

function describeAbilities(templates: readonly WorkflowTemplate[]): EngineAbilities {
  const makes = (kind: GenerationKind) => templates.some((template) => template.kind === kind);
  return {
    video: makes('video') ? { mover: 'person', seconds: VIDEO_SECONDS, aspectRatios: ASPECT_RATIOS } : null,
    model_change: makes('model_change') ? { change: 'model_change' } : null,
    photosession: makes('photosession') ? { frames: 'poses' } : null,
    try_on: makes('try_on') ? true : null,
  };
}

interface FindParts {
  servers: Servers;
  templates: readonly WorkflowTemplate[];
  reduced: ReducedOutputs;
}

/** Does not wait for servers that are away: if one of them has the job, a second one costs only time. */
async function findJob(order: GenerationOrder, { servers, templates, reduced }: FindParts): Promise<EngineJob | null> {
  const template = templates.find(({ file }) => file === nameTemplate(order));
  if (!template) return null;
  const looks = await Promise.all(
    servers.all.map(async ({ url, client }) => {
      try {
        return { url, id: await client.findOwnJob(order.runId), error: null };
      } catch (error) {
        return { url, id: null, error };
      }
    }),
  );
  const found = looks.find(({ id }) => id !== null);
  if (found?.id) {
    const isReduced = reduced.has(nameOutput(order));
    return describeJob({ id: found.id, serverUrl: found.url, template, order, isReduced });
  }
  if (looks.every(({ error }) => error !== null)) throw looks[0]?.error;
  return null;
}

/** False when the job has ended with a result. An interruption takes effect at the next step, and may come too late. */
async function stopJob(client: ComfyuiClient, jobId: string, pauseMs: number): Promise<boolean> {
  await client.stop(jobId);
  for (let look = 0; look < STOP_LOOKS && (await client.findStatus(jobId)) === 'running'; look++) {
    await wait(pauseMs);
  }
  const ended = await client.readHistory(jobId);
  return !ended?.isSuccess;
}

interface RemovalPauses {
  stopLookMs: number;
  pollMs: number;
  /** Ends the wait for a job that still runs. */
  signal: AbortSignal;
}

/**
 * ComfyUI deletes no files. It forgets the job, unless the proxy before it forbids that. A step that cannot be
 * interrupted may take minutes, and the job comes into the history only after it.
 */
async function removeTraces(
  client: ComfyuiClient,
  jobId: string,
  { stopLookMs, pollMs, signal }: RemovalPauses,
): Promise<void> {
  try {
    await client.stop(jobId);
    for (let pause = stopLookMs; (await client.findStatus(jobId)) === 'running'; pause = Math.min(2 * pause, pollMs)) {
      await wait(pause, undefined, { signal, ref: false });
    }
    await client.deleteHistory(jobId);
  } catch (error) {
    if (!(error instanceof ComfyuiError) && !signal.aborted) throw error;
  }
}

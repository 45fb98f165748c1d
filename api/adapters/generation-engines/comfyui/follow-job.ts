import {
  EngineAwayError,
  type EngineFailure,
  type EngineJob,
  type EngineReport,
  type GenerationEngine,
} from '#api/adapters/generation-engines/generation-engine.ts';
import type { HistoryEntry } from './comfyui-client.ts';
import { describeFollowed, type ReducedOutputs, readDetails } from './engine-job.ts';
import { readOutcome } from './job-outcome.ts';
import type { JobProgress } from './job-progress.ts';
import { ComfyuiError } from './server-calls.ts';
import type { ComfyuiServer, Servers } from './servers.ts';

interface PollParts {
  servers: Servers;
  progress: JobProgress;
  reduced: ReducedOutputs;
  /** A job that its server does not know for this long is lost. */
  forgottenAfterMs: number;
  /** A job is made on another server when its own has not answered for this long. */
  deadAfterMs: number;
}

type Sight = { status: 'pending' | 'running' | 'missing' } | { status: 'ended'; entry: HistoryEntry };

export function createPoll(parts: PollParts): GenerationEngine['poll'] {
  const { servers, progress, forgottenAfterMs, deadAfterMs } = parts;
  const absences = createAbsences();

  return async (job, { positions }): Promise<EngineReport> => {
    const server = servers.find(job.details.server);
    // The operator has removed the server from the settings.
    if (!server) return { state: 'unknown' };
    let sight: Sight;
    try {
      sight = await lookFor(job, server);
    } catch (error) {
      if (!(error instanceof ComfyuiError)) throw error;
      server.setAside(error);
      // Without another server the job may as well go on where it is.
      const isDead = absences.isLongerThan(deadAfterMs, job.id);
      if (!(await servers.hasOther(server))) throw error;
      if (!isDead) throw new EngineAwayError(error, absences.leftOf(deadAfterMs, job.id));
      return forget(job);
    }
    server.keep();
    const share = progress.shareOf(job.id);
    if (sight.status === 'missing') {
      if (absences.isLongerThan(forgottenAfterMs, job.id)) return forget(job);
      return share === null ? { state: 'queued' } : { state: 'running', share };
    }
    absences.end(job.id);
    if (sight.status === 'ended') return reportEnd(job, sight.entry, server, positions[0] ?? 0);
    progress.follow(describeFollowed(job));
    if (sight.status === 'pending') return { state: 'queued' };
    const isBeforeFirstStep = share === null && progress.isListening(job.id);
    return { state: isBeforeFirstStep ? 'preparing' : 'running', share };
  };

  function forget(job: EngineJob): EngineReport {
    absences.end(job.id);
    progress.forget(job.id);
    return { state: 'unknown' };
  }

  async function reportEnd(
    job: EngineJob,
    entry: HistoryEntry,
    { client }: ComfyuiServer,
    position: number,
  ): Promise<EngineReport> {
    progress.forget(job.id);
    const details = readDetails(job);
    if (!details) return { state: 'unknown' };
    const outcome = readOutcome(entry, details.resultNode, details.makes);
    const canBeSmaller = outcome.state === 'out_of_memory' && details.size === 'full';
    if (canBeSmaller) parts.reduced.add(details.output);
    else parts.reduced.delete(details.output);
    switch (outcome.state) {
      case 'made': {
        const { file, contentType } = outcome;
        // The operator removes old files, and the server remembers the job for longer.
        if (!(await client.hasFile(file))) return { state: 'failed', failure: GONE };
        return { state: 'completed', outputs: [{ contentType, position, open: () => client.open(file) }] };
      }
      case 'failed':
        return { state: 'failed', failure: outcome.failure };
      case 'out_of_memory':
        return {
          state: 'failed',
          failure: { code: 'engine_error', detail: outcome.detail, shouldRetry: canBeSmaller },
        };
    }
  }
}

const GONE: EngineFailure = { code: 'job_lost', detail: 'the file of the result is gone', shouldRetry: true };

async function lookFor({ id }: EngineJob, { client }: ComfyuiServer): Promise<Sight> {
  const status = await client.findStatus(id);
  if (status === 'pending' || status === 'running') return { status };
  const entry = status === 'ended' ? await client.readHistory(id) : null;
  return entry ? { status: 'ended', entry } : { status: 'missing' };
}

/** Since when jobs cannot be seen. One look is not enough, because a job is nowhere for a moment when it ends. */
function createAbsences() {
  const since = new Map<string, number>();
  return {
    /** Always false at the first look. */
    isLongerThan(milliseconds: number, jobId: string): boolean {
      const first = since.get(jobId);
      if (first === undefined) since.set(jobId, Date.now());
      return first !== undefined && Date.now() - first >= milliseconds;
    },
    /** Until it is as long, in milliseconds. */
    leftOf: (milliseconds: number, jobId: string) =>
      Math.max(0, (since.get(jobId) ?? Date.now()) + milliseconds - Date.now()),
    end: (jobId: string) => void since.delete(jobId),
  };
}

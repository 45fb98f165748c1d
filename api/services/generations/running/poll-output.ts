import type { EngineFailure } from '#api/adapters/generation-engines/generation-engine.ts';
import { jobOf } from '#api/services/generations/engine-health/engine-runs.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import type { EngineRun } from '#prisma/generated/client.ts';
import { failOutput } from './fail-output.ts';
import { type OutputState, positionsOf, type StepContext } from './output-state.ts';

/** A process that storing needs starts in less, and waits that long. */
const PREPARE_AHEAD_MS = 1_000;

/** Asks the engine how far the submitted job of an output is. */
export async function pollOutput(context: StepContext, run: EngineRun): Promise<OutputState> {
  const { app, engine, task } = context;
  const report = await engine.poll(jobOf(run), { positions: positionsOf(engine, task, run.position) });
  switch (report.state) {
    case 'unknown':
      // An engine within the worker forgets its jobs only when the process ends.
      return failOutput(context, run, engine.photosTravel === 'nowhere' ? INTERRUPTED : FORGOTTEN);
    case 'queued':
      return { state: 'waiting' };
    case 'preparing':
      return report;
    case 'running':
      if (estimateRest(run, report.share) < PREPARE_AHEAD_MS) TOOL_TABLE[task.kind].store.warmUp(app);
      return report;
    case 'failed': {
      const outputState = await failOutput(context, run, report.failure);
      await engine.dispose(jobOf(run));
      return outputState;
    }
    case 'completed':
      TOOL_TABLE[task.kind].store.warmUp(app);
      return { state: 'done', run, outputs: report.outputs };
  }
}

/** How long the rest of a job takes if it goes on as before, in milliseconds. Endless when its engine tells no share. */
function estimateRest({ submittedAt }: EngineRun, share: number | null): number {
  if (!share || submittedAt === null) return Number.POSITIVE_INFINITY;
  return (Date.now() - submittedAt.getTime()) * (1 / share - 1);
}

const INTERRUPTED: EngineFailure = {
  code: 'interrupted',
  detail: 'the process of the engine has ended',
  shouldRetry: true,
};

/** It may have been made before it was forgotten. */
const FORGOTTEN: EngineFailure = {
  code: 'job_lost',
  detail: 'the engine has no such job',
  shouldRetry: true,
  isCharged: true,
};

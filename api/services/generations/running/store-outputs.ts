import { type EngineOutput, UnusableOutputError } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { listPositions } from '#api/services/generations/results/outputs.ts';
import { discardResults, type NewResult, UnusableResultError } from '#api/services/generations/results/result-files.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { closeRun } from './end-run.ts';
import { addResults } from './outcome.ts';
import type { OutputState, StepContext } from './output-state.ts';

/**
 * Of a tool with several outputs, stores each when it is ready. An unusable one is tried again only at the end of all.
 */
export async function storeReadyOutputs(context: StepContext, outputStates: readonly OutputState[]): Promise<void> {
  const { app, task, storedPositions } = context;
  if (TOOLS[task.kind].outputs.count === 1 || isFinal(task.status)) return;
  for (const outputState of outputStates) {
    const outputs = 'outputs' in outputState ? (outputState.outputs ?? []) : [];
    for (const output of outputs) {
      if (storedPositions.has(output.position)) continue;
      const { results, kept } = await storeNewOutputs(app, task, [output]);
      const isBooked = results.length === 0 || (await addResults(app, task, results));
      if (!isBooked) await discardResults(app, task.id, results);
      storedPositions.add(output.position);
      const isThere = kept.has(output.position) || (results.length > 0 && isBooked);
      if (outputState.state === 'done' && isThere) await closeRun(context, outputState.run);
    }
  }
}

/**
 * Stores the files of outputs that have no row yet. The caller books them. `kept`: positions that have a row already.
 * An unusable output is left out and logged. Throws StorageFullError, StorageUnavailableError.
 */
export async function storeNewOutputs(
  app: AppContext,
  generation: Generation,
  outputs: EngineOutput[],
): Promise<{ results: NewResult[]; kept: ReadonlySet<number> }> {
  const kept = await listBookedPositions(app, generation);
  const taken = new Set(kept);
  const results: NewResult[] = [];
  for (const output of outputs) {
    if (taken.has(output.position)) continue;
    taken.add(output.position);
    try {
      results.push(await app.state.semaphores.newResults.run(() => storeResult(app, generation, output)));
    } catch (error) {
      if (!(error instanceof UnusableResultError || error instanceof UnusableOutputError)) throw error;
      app.log.error({ err: error, generationId: generation.id, position: output.position }, 'unusable result');
    }
  }
  return { results, kept };
}

/** The outputs that have a row, also those that their owner has deleted. */
export async function listBookedPositions(
  { db }: WithDb,
  { id: generationId }: Pick<Generation, 'id'>,
): Promise<ReadonlySet<number>> {
  const rows = await db.result.findMany({ where: { generationId }, select: { position: true } });
  return new Set(rows.map(({ position }) => position));
}

async function storeResult(app: AppContext, generation: Generation, output: EngineOutput): Promise<NewResult> {
  if (!listPositions(generation).includes(output.position)) {
    throw new UnusableResultError(generation.id, `position ${output.position}`);
  }
  return TOOL_TABLE[generation.kind].store.keep(app, generation, output);
}

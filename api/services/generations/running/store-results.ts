import { type EngineOutput, UnusableOutputError } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { listPositions } from '#api/services/generations/results/outputs.ts';
import { type NewResult, UnusableResultError } from '#api/services/generations/results/result-files.ts';
import { titleResult } from '#api/services/generations/results/result-titles.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import type { Generation } from '#prisma/generated/client.ts';

/**
 * Stores the files of outputs that have no row yet. The caller books them. `kept`: positions that have a row already.
 * An unusable output is left out and logged. Throws StorageFullError, StorageUnavailableError.
 */
export async function storeNewResults(
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
  { db }: Pick<AppContext, 'db'>,
  { id: generationId }: Pick<Generation, 'id'>,
): Promise<ReadonlySet<number>> {
  const rows = await db.result.findMany({ where: { generationId }, select: { position: true } });
  return new Set(rows.map(({ position }) => position));
}

async function storeResult(app: AppContext, generation: Generation, output: EngineOutput): Promise<NewResult> {
  if (!listPositions(generation).includes(output.position)) {
    throw new UnusableResultError(generation.id, `position ${output.position}`);
  }
  const title = await titleResult(app, generation, output.position);
  return TOOL_TABLE[generation.kind].store.keep(app, generation, output, title);
}

import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findReroll, getOwnGeneration } from '#api/services/generations/results/find-generation.ts';
import { listFindings } from '#api/services/generations/results/garment-checks.ts';
import { hasAllPhotos, listInputs } from '#api/services/generations/results/inputs.ts';
import { choosePositions } from '#api/services/generations/results/rerolls.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { acceptGeneration } from './accept-generation.ts';
import type { BatchedStart } from './insert-generation.ts';

/**
 * Makes the drifted outputs of a generation again, free of charge, with the present engine of the tool. It is a
 * generation of its own. A repeat answers the same one. `row`: the row of a batch that it is made for; to a row that is
 * not offered which was started already. Throws generation_not_found, generation_forbidden, reroll_not_offered,
 * video_length_unavailable, aspect_ratio_unavailable, change_differs, and what acceptGeneration throws.
 */
export async function startReroll(
  app: AppContext,
  accountId: number,
  generationId: string,
  row?: BatchedStart,
): Promise<{ generationId: string }> {
  const original = await getOwnGeneration(app.db, { accountId, kinds: GENERATION_KINDS, id: generationId });
  const started = await findReroll(app.db, original.id);
  if (started && row) throw new AppError('reroll_not_offered');
  if (started) return { generationId: started.id };
  const findings = await listFindings(
    app.db,
    original.results.map(({ id }) => id),
  );
  const repaid = await listRepaidPositions(app, original.id);
  const positions = choosePositions(app, original, original.results, findings, repaid);
  const inputs = await listInputs(app.db, original.id);
  if (positions.length === 0 || !hasAllPhotos(original.kind, inputs)) throw new AppError('reroll_not_offered');
  const { kind, settings } = original;
  // The engine may have changed since.
  const prepared = TOOL_TABLE[kind].prepareAgain(app, settings as Prisma.InputJsonObject);
  return acceptGeneration(app, {
    accountId,
    kind,
    sources: inputs.map(({ role, id }) => ({ role, source: { imageId: id } })),
    ...prepared,
    reroll: { ofId: original.id, positions },
    agreedPrice: null,
    idempotencyKey: null,
    row,
  });
}

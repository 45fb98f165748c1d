import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findReroll, getOwnGeneration } from '#api/services/generations/results/find-generation.ts';
import { listFindings } from '#api/services/generations/results/garment-checks.ts';
import { hasAllPhotos, listInputs } from '#api/services/generations/results/inputs.ts';
import { choosePositions } from '#api/services/generations/results/rerolls.ts';
import { listRepaidPositions } from '#api/services/stars/returned-stars.ts';
import type { Generation, Prisma } from '#prisma/generated/client.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import type { InputRole } from '#shared/rules/tools.ts';
import { assertChangeMade } from './model-changes.ts';
import { type PhotoSource, startGeneration } from './start-generation.ts';
import { assertVideoMade } from './videos.ts';

/**
 * Makes the drifted outputs of a generation again, free of charge, with the present engine of the tool. It is a
 * generation of its own. A repeat answers the same one. Throws generation_not_found, generation_forbidden,
 * reroll_not_offered, video_length_unavailable, aspect_ratio_unavailable, change_differs, and what startGeneration
 * throws.
 */
export async function startReroll(
  app: AppContext,
  accountId: number,
  generationId: string,
): Promise<{ generationId: string }> {
  const original = await getOwnGeneration(app.db, { accountId, kinds: GENERATION_KINDS, id: generationId });
  const started = await findReroll(app.db, original.id);
  if (started) return { generationId: started.id };
  const findings = await listFindings(
    app.db,
    original.results.map(({ id }) => id),
  );
  const repaid = await listRepaidPositions(app, original.id);
  const positions = choosePositions(app, original, original.results, findings, repaid);
  const inputs = await listInputs(app.db, original.id);
  if (positions.length === 0 || !hasAllPhotos(original.kind, inputs)) throw new AppError('reroll_not_offered');
  assertStillMade(app, original);
  const photos = Object.fromEntries(inputs.map(({ role, id }) => [role, { imageId: id }]));
  const { kind, settings } = original;
  return startGeneration(app, {
    accountId,
    kind,
    photos: photos as Record<InputRole, PhotoSource>,
    choice: settings as Prisma.InputJsonObject,
    ...(kind === 'video' ? { videoSeconds: videoSettings.parse(settings).duration } : {}),
    reroll: { ofId: original.id, positions },
    idempotencyKey: null,
  });
}

/** The engine may have changed since. Throws what a start with these settings would be refused for. */
function assertStillMade(app: AppContext, { kind, settings }: Generation): void {
  if (kind === 'video') assertVideoMade(app, videoSettings.parse(settings));
  if (kind === 'model_change') {
    assertChangeMade(app, modelChangeSettings.parse(settings).isModelReplaced ? 'model_change' : 'background_change');
  }
}

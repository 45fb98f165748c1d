import type { AppContext } from '#api/services/app-context.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { listInputsOf } from '#api/services/generations/results/inputs.ts';
import { getProgress } from '#api/services/generations/results/progress.ts';
import { presentPhoto } from '#api/services/photos/photos.ts';
import { listProductMarks } from '#api/services/products/product-marks.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { TOOL_TABLE } from './tool-table.ts';

/** Active generations of this account that were started by hand, newest first. Those of batches have pages of their own. */
export async function listActiveGenerations(app: AppContext, accountId: number): Promise<ActiveGeneration[]> {
  const generations = await app.db.generation.findMany({
    where: { accountId, batchId: null, status: { in: [...ACTIVE_STATUSES] } },
    orderBy: { createdAt: 'desc' },
  });
  const inputs = await listInputsOf(
    app.db,
    generations.map(({ id }) => id),
  );
  const products = await listProductMarks(app.db, [...inputs.values()].flat());
  return generations.flatMap((generation) => {
    const first = inputs.get(generation.id)?.[0];
    // It has just ended, and its owner has deleted the photo.
    if (!first) return [];
    const photo = presentPhoto(first, products.get(first.productId ?? '') ?? null);
    return [presentActive(app, generation, photo)];
  });
}

function presentActive(app: AppContext, generation: Generation, photo: UploadedPhoto): ActiveGeneration {
  return {
    id: generation.id,
    generationId: generation.id,
    kind: generation.kind,
    made: resultKindOf(generation),
    status: generation.status,
    createdAt: generation.createdAt.toISOString(),
    settings: TOOL_TABLE[generation.kind].viewForm(generation.settings),
    thumbnailUrl: photo.thumbnailUrl,
    photo,
    progress: getProgress(app, generation),
  };
}

import type { AppContext } from '#api/services/app-context.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { type InputPhoto, listInputsOf } from '#api/services/generations/results/inputs.ts';
import { getProgress } from '#api/services/generations/results/progress.ts';
import { presentPhoto } from '#api/services/photos/photos.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { TOOL_TABLE } from './tool-table.ts';

/** Active generations of this account, newest first. */
export async function listActiveGenerations(app: AppContext, accountId: number): Promise<ActiveGeneration[]> {
  const generations = await app.db.generation.findMany({
    where: { accountId, status: { in: [...ACTIVE_STATUSES] } },
    orderBy: { createdAt: 'desc' },
  });
  const inputs = await listInputsOf(
    app.db,
    generations.map(({ id }) => id),
  );
  return generations.flatMap((generation) => {
    const first = inputs.get(generation.id)?.[0];
    // It has just ended, and its owner has deleted the photo.
    return first ? [presentActive(app, generation, first)] : [];
  });
}

function presentActive(app: AppContext, generation: Generation, first: InputPhoto): ActiveGeneration {
  const photo = presentPhoto(first);
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

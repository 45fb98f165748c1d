import type { AppContext } from '#api/services/app-context.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { PHOTOSESSION_STATUSES } from '#shared/contract/photosessions.ts';
import { type GenerationStatus, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import type { GenerationTool, ViewOfKind } from './generation-tool.ts';
import { imageStore } from './image-results.ts';

/** A session of five frames. There is nothing to choose. */
export const photosessionTool: GenerationTool<'photosession'> = {
  prepare: () => ({ choice: {} }),
  prepareAgain: (_, settings) => ({ choice: settings }),
  store: imageStore,
  view: () => ({ kind: 'photosession', settings: {} }),
  viewForm: () => ({}),
};

/** A session with its finished frames, in the format of its endpoint. */
export function presentPhotosession(view: ViewOfKind<'photosession'>) {
  return {
    ...presentHead(view),
    images: view.results,
    error: view.failure?.message ?? null,
    code: view.failure?.code ?? null,
    starsSpent: view.starsSpent,
    progress: view.progress,
  };
}

/** Sessions of this account that were started by hand, newest first. */
export async function listPhotosessions(app: AppContext, accountId: number, limit: number) {
  const generations = await app.db.generation.findMany({
    where: { accountId, kind: 'photosession', batchId: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return generations.map(({ createdAt, ...generation }) =>
    presentHead({ ...generation, createdAt: createdAt.toISOString() }),
  );
}

function presentHead({ id, status, createdAt }: Pick<GenerationView, 'id' | 'status' | 'createdAt'>) {
  return { id, status: presentStatus(status), title: TOOLS.photosession.name, createdAt };
}

function presentStatus(status: GenerationStatus): (typeof PHOTOSESSION_STATUSES)[number] {
  if (!isFinal(status)) return 'processing';
  return status === 'completed' ? 'completed' : 'failed';
}

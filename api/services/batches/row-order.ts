import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type GenerationRequest, startGeneration } from '#api/services/generations/starting/start-generation.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import { type BatchSet, batchSet } from '#shared/contract/batches.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { priceOf } from '#shared/rules/tools.ts';

/** A stored choice of settings as the contract has it. */
export function readSet(kind: GenerationKind, settings: Prisma.JsonValue): BatchSet {
  return batchSet.parse({ kind, settings });
}

/** What a row with these settings costs, in stars. */
export function priceOfSet(set: BatchSet): number {
  return set.kind === 'video' ? priceOf('video', set.settings.duration) : priceOf(set.kind);
}

/** Everything of a start but what the tool is asked for. */
type RowStart = Pick<GenerationRequest<GenerationKind>, 'account' | 'agreedStars' | 'key' | 'row'>;

/**
 * Starts a generation with stored settings. Throws catalogue_entry_unknown when a model or a background is not offered any
 * more, and what startGeneration throws.
 */
export function startWithSet(
  app: AppContext,
  set: BatchSet,
  { photoId, personPhotoId }: { photoId: string; personPhotoId: string | null },
  start: RowStart,
): Promise<{ generationId: string }> {
  const { kind } = set;
  const photos = { subject: { imageId: photoId } };
  switch (kind) {
    case 'video':
      return startGeneration(app, { ...start, kind, photos, choice: set.settings });
    case 'photosession':
      return startGeneration(app, { ...start, kind, photos, choice: {} });
    case 'try_on': {
      const person = personPhotoId === null ? null : { imageId: personPhotoId };
      return startGeneration(app, { ...start, kind, photos: { ...photos, person }, choice: set.settings });
    }
    case 'model_change':
      return startGeneration(app, { ...start, kind, photos, choice: findInCatalogue(app, set.settings) });
  }
}

type ModelChangeSet = Extract<BatchSet, { kind: 'model_change' }>['settings'];

/** Throws catalogue_entry_unknown. */
function findInCatalogue({ catalogue }: AppContext, { modelId, backgroundId, agreedChange }: ModelChangeSet) {
  const model = catalogue.models.find(({ id }) => id === modelId);
  const background = catalogue.backgrounds.find(({ id }) => id === backgroundId);
  if (!background || (modelId !== null && !model)) throw new AppError('catalogue_entry_unknown');
  return { modelImageUrl: model?.imageUrl ?? null, backgroundImageUrl: background.imageUrl, agreedChange };
}

import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { MODEL_CHANGE_STATUSES } from '#shared/contract/model-changes.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { getBackgroundByUrl, getModelByUrl } from './catalogue.ts';
import { describeFailure, getProgress } from './generation-progress.ts';
import { modelChangeSettings } from './model-change-choice.ts';
import { getOwnGeneration } from './own-generation.ts';
import { getPremiumStatus } from './payments.ts';
import { getBalance, getStarsSpent } from './stars.ts';
import { type PhotoSource, startGeneration } from './start-generation.ts';

interface ModelChangeRequest {
  accountId: number;
  /** Null when the form brought none. */
  photo: PhotoSource | null;
  modelImageUrl: string;
  /** Empty when the photo's own background is kept. */
  backgroundImageUrl: string;
  /** In stars; another is not paid. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/**
 * Starts a change of model. Nothing is stored or charged before the choice is known to be one. Throws
 * catalogue_entry_unknown, premium_background, photo_missing, and what startGeneration does.
 */
export async function startModelChange(
  app: AppContext,
  { accountId, photo, agreedPrice, idempotencyKey, ...urls }: ModelChangeRequest,
): Promise<{ generationId: string }> {
  const model = getModelByUrl(app, urls.modelImageUrl);
  const background = getBackgroundByUrl(app, urls.backgroundImageUrl);
  if (background.isPremium) {
    const { isPremium } = await getPremiumStatus(app, accountId);
    if (!isPremium) throw new AppError('premium_background');
  }
  if (!photo) throw new AppError('photo_missing');
  return startGeneration(app, {
    accountId,
    kind: 'model_change',
    photo,
    choice: { modelId: model.id, backgroundId: background.id },
    facts: { isModelReplaced: app.engine.isGenerative },
    stars: MODEL_CHANGE_PRICE,
    agreedPrice,
    idempotencyKey,
  });
}

/** A change of model of this account, in its wire dialect. Throws generation_not_found, generation_forbidden. */
export async function getModelChangeState(app: AppContext, accountId: number, requestId: string) {
  const generation = await getOwnGeneration(app.db, { accountId, kind: 'model_change', id: requestId });
  const result = generation.status === 'completed' ? generation.results[0] : undefined;
  const { isPremium } = await getPremiumStatus(app, accountId);
  const { modelId, backgroundId, isModelReplaced } = modelChangeSettings.parse(generation.settings);
  return {
    status: presentStatus(generation),
    request_id: generation.id,
    result_url: result ? `/media/results/${generation.id}/${result.position}/image` : null,
    original_url: `/media/photos/${generation.photoId}/preview`,
    has_watermark: !isPremium,
    is_optimized: isPremium,
    stars_spent: await getStarsSpent(app, generation.id),
    current_star_balance: await getBalance(app, accountId),
    error: describeFailure(generation),
    code: generation.failureCode,
    progress: await getProgress(app, generation),
    image_id: result?.id ?? null,
    is_model_replaced: isModelReplaced,
    model_id: modelId,
    background_id: backgroundId,
  };
}

function presentStatus({ status }: Generation): (typeof MODEL_CHANGE_STATUSES)[number] {
  if (status === 'completed') return 'COMPLETED';
  return status === 'failed' ? 'FAILED' : 'QUEUED';
}

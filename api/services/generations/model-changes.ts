import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getBackgroundByUrl, getModelByUrl } from '#api/services/ground/catalogue.ts';
import { modelChangeSettings } from '#api/services/ground/model-change-choice.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { describeTools } from '#api/services/ground/tool-abilities.ts';
import { getBalance, getStarsSpent } from '#api/services/stars/ledger.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { MODEL_CHANGE_STATUSES } from '#shared/contract/model-changes.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { type Change, isBackgroundOffered } from '#shared/rules/what-is-made.ts';
import { getOwnGeneration } from './find-generation.ts';
import { describeFailure, getProgress } from './progress.ts';
import { type PhotoSource, startGeneration } from './start-generation.ts';

interface ModelChangeRequest {
  accountId: number;
  /** Null when the form brought none. */
  photo: PhotoSource | null;
  /** Null when the sender names none. */
  modelImageUrl: string | null;
  /** Empty when the photo's own background is kept. */
  backgroundImageUrl: string;
  /** In stars; another is not paid. */
  agreedPrice?: number | null;
  /** What the person was told the tool makes; null or absent when the client does not say. */
  agreedChange?: Change | null;
  idempotencyKey: string | null;
}

/**
 * Starts a change of model, or of the background alone where the engine replaces nobody: a model is then checked like
 * any other and not used. Nothing is stored or charged before the choice is known to be one. Throws change_differs,
 * invalid_request without a model that is needed, catalogue_entry_unknown, background_unchanged, premium_background,
 * photo_missing, and what startGeneration does.
 */
export async function startModelChange(
  app: AppContext,
  { accountId, photo, agreedPrice, agreedChange, idempotencyKey, ...urls }: ModelChangeRequest,
): Promise<{ generationId: string }> {
  const { change } = describeTools(app);
  if (agreedChange && agreedChange !== change) throw new AppError('change_differs');
  const model = urls.modelImageUrl === null ? null : getModelByUrl(app, urls.modelImageUrl);
  const isModelReplaced = change === 'model_change';
  if (isModelReplaced && !model) {
    throw new AppError('invalid_request', { fields: { modelImageUrl: 'Выберите модель из каталога' } });
  }
  const background = getBackgroundByUrl(app, urls.backgroundImageUrl);
  if (!isBackgroundOffered(background, change)) throw new AppError('background_unchanged');
  if (background.isPremium) {
    const { isPremium } = await getPremiumStatus(app, accountId);
    if (!isPremium) throw new AppError('premium_background');
  }
  if (!photo) throw new AppError('photo_missing');
  return startGeneration(app, {
    accountId,
    kind: 'model_change',
    photo,
    choice: { modelId: isModelReplaced ? model?.id : null, backgroundId: background.id },
    facts: { isModelReplaced },
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
    progress: getProgress(generation),
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

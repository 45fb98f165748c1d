import { AppError } from '#api/platform/errors.ts';
import type { Caller } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getBackgroundByUrl, getModelByUrl } from '#api/services/core/catalogue.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { getViewOfKind } from '#api/services/generations/results/view.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { MODEL_CHANGE_STATUSES } from '#shared/contract/model-changes.ts';
import { type Change, isBackgroundOffered } from '#shared/rules/tool-abilities.ts';
import { type PhotoSource, startGeneration } from './start-generation.ts';

interface ModelChangeRequest {
  accountId: number;
  /** Null when the form had none. */
  photo: PhotoSource | null;
  /** Null when the sender chose none. */
  modelImageUrl: string | null;
  /** Empty to keep the photo's own background. */
  backgroundImageUrl: string;
  /** In stars. The generation is refused at any other price. */
  agreedPrice?: number | null;
  /** What the person was told that the tool makes. Null or absent when the client does not say. */
  agreedChange?: Change | null;
  idempotencyKey: string | null;
}

/**
 * Starts a change of model, or of the background alone if the engine does not replace people. Such an engine checks the
 * model but does not use it. Nothing is stored or charged before the choice is validated. Throws change_differs,
 * invalid_request when a required model is missing, catalogue_entry_unknown, background_unchanged, premium_background,
 * photo_missing, and what startGeneration throws.
 */
export async function startModelChange(
  app: AppContext,
  { accountId, photo, agreedPrice, agreedChange, idempotencyKey, ...urls }: ModelChangeRequest,
): Promise<{ generationId: string }> {
  if (agreedChange) assertChangeMade(app, agreedChange);
  const { change } = describeTools(app);
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
    photos: { subject: photo },
    choice: { modelId: isModelReplaced ? model?.id : null, backgroundId: background.id },
    facts: { isModelReplaced },
    agreedPrice,
    idempotencyKey,
  });
}

/** Throws change_differs when the tool now makes something else. */
export function assertChangeMade(app: AppContext, agreed: Change): void {
  if (describeTools(app).change !== agreed) throw new AppError('change_differs');
}

/**
 * A change of model of this account, in the format of its endpoint. Throws generation_not_found, generation_forbidden.
 */
export async function getModelChangeState(app: AppContext, caller: Caller, id: string) {
  const view = await getViewOfKind(app, caller, id, 'model_change');
  const result = view.results[0];
  const { isPremium } = caller.premium;
  return {
    status: presentStatus(view),
    request_id: view.id,
    result_url: result?.url ?? null,
    original_url: view.photos[0]?.previewUrl ?? null,
    has_watermark: !isPremium,
    is_optimized: isPremium,
    stars_spent: view.starsSpent,
    current_star_balance: caller.starBalance,
    error: view.failure?.message ?? null,
    code: view.failure?.code ?? null,
    progress: view.progress,
    image_id: result?.id ?? null,
    is_model_replaced: view.settings.isModelReplaced,
    model_id: view.settings.modelId,
    background_id: view.settings.backgroundId,
  };
}

function presentStatus({ status }: Pick<GenerationView, 'status'>): (typeof MODEL_CHANGE_STATUSES)[number] {
  if (status === 'completed') return 'COMPLETED';
  return status === 'failed' ? 'FAILED' : 'QUEUED';
}

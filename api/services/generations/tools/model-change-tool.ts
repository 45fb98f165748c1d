import { AppError } from '#api/platform/errors.ts';
import type { Caller } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getBackgroundByUrl, getModelByUrl } from '#api/services/core/catalogue.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import type { MODEL_CHANGE_STATUSES } from '#shared/contract/model-changes.ts';
import { type Change, isBackgroundOffered } from '#shared/rules/tool-abilities.ts';
import type { GenerationTool, ViewOfKind } from './generation-tool.ts';
import { imageStore } from './image-results.ts';

/**
 * A change of model, or of the background alone if the engine does not replace people. Such an engine checks the model
 * but does not use it. Throws change_differs, invalid_request when a required model is missing, catalogue_entry_unknown,
 * background_unchanged, premium_background.
 */
export const modelChangeTool: GenerationTool<'model_change'> = {
  async prepare(app, { accountId, choice: { modelImageUrl, backgroundImageUrl, agreedChange } }) {
    if (agreedChange) assertChangeMade(app, agreedChange);
    const { change } = describeTools(app);
    const model = modelImageUrl === null ? null : getModelByUrl(app, modelImageUrl);
    const isModelReplaced = change === 'model_change';
    if (isModelReplaced && !model) {
      throw new AppError('invalid_request', { fields: { modelImageUrl: 'Выберите модель из каталога' } });
    }
    const background = getBackgroundByUrl(app, backgroundImageUrl);
    if (!isBackgroundOffered(background, change)) throw new AppError('background_unchanged');
    if (background.isPremium) {
      const { isPremium } = await getPremiumStatus(app, accountId);
      if (!isPremium) throw new AppError('premium_background');
    }
    return {
      choice: { modelId: isModelReplaced ? model?.id : null, backgroundId: background.id },
      facts: { isModelReplaced },
    };
  },
  prepareAgain(app, settings) {
    const { isModelReplaced } = modelChangeSettings.parse(settings);
    assertChangeMade(app, isModelReplaced ? 'model_change' : 'background_change');
    return { choice: settings };
  },
  store: imageStore,
  view: (settings) => ({ kind: 'model_change', settings: modelChangeSettings.parse(settings) }),
  viewForm: () => ({}),
};

function assertChangeMade(app: AppContext, agreed: Change): void {
  if (describeTools(app).change !== agreed) throw new AppError('change_differs');
}

/** A change of model in the format of its endpoint. */
export function presentModelChange(view: ViewOfKind<'model_change'>, { premium, starBalance }: Caller) {
  const result = view.results[0];
  const { isPremium } = premium;
  return {
    status: presentStatus(view),
    request_id: view.id,
    result_url: result?.url ?? null,
    original_url: view.photos[0]?.previewUrl ?? null,
    has_watermark: !isPremium,
    is_optimized: isPremium,
    stars_spent: view.starsSpent,
    current_star_balance: starBalance,
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

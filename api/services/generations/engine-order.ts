import type { GenerationOrder } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openCatalogueImage } from '#api/services/ground/catalogue.ts';
import { modelChangeSettings } from '#api/services/ground/model-change-choice.ts';
import { openPhotoMaster } from '#api/services/photos/photos.ts';
import type { Generation, Photo } from '#prisma/generated/client.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { PRESET_PROMPTS, resolveCategory, resolveMotionPreset } from '#shared/rules/motion-presets.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/**
 * A generation in the words of the engine. Null where its model or background has left the catalogue between the
 * request and now.
 */
export function toEngineOrder(app: AppContext, generation: Generation & { photo: Photo }): GenerationOrder | null {
  const source = { generationId: generation.id, openPhoto: () => openPhotoMaster(app, generation.photo) };
  switch (generation.kind) {
    case 'video':
      return { kind: 'video', ...source, ...describeVideo(generation.settings) };
    case 'model_change': {
      const choice = describeModelChange(app, generation.settings);
      return choice && { kind: 'model_change', ...source, ...choice };
    }
    case 'photosession':
      return { kind: 'photosession', ...source, frames: TOOLS.photosession.outputs.count };
  }
}

function describeVideo(stored: unknown) {
  const settings = videoSettings.parse(stored);
  const preset = resolveMotionPreset(settings);
  return {
    preset,
    category: resolveCategory(preset, settings.category),
    prompt: settings.prompt ?? PRESET_PROMPTS[preset],
    negativePrompt: settings.negativePrompt,
    durationSeconds: settings.duration,
    cfgScale: settings.cfgScale,
    aspectRatio: settings.aspectRatio,
  };
}

function describeModelChange(app: AppContext, stored: unknown) {
  const { modelId, backgroundId } = modelChangeSettings.parse(stored);
  const model = modelId === null ? null : app.catalogue.models.find(({ id }) => id === modelId);
  const background = app.catalogue.backgrounds.find(({ id }) => id === backgroundId);
  if (model === undefined || !background) return null;
  return {
    model: model && { id: model.id, openImage: () => openCatalogueImage(app, model) },
    background:
      background.type === 'keep_original'
        ? null
        : { id: background.id, floor: background.floor, openImage: () => openCatalogueImage(app, background) },
  };
}

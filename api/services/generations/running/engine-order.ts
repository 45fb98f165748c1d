import type { GenerationOrder, OpenPhoto, OrderedPhotos } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openCatalogueImage } from '#api/services/core/catalogue.ts';
import type { InputPhoto } from '#api/services/generations/results/inputs.ts';
import { findMask } from '#api/services/photos/photo-files.ts';
import { openPhotoFile, openPhotoMaster } from '#api/services/photos/photos.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { modelChangeSettings } from '#shared/contract/model-change-settings.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { PRESET_PROMPTS, resolveCategory, resolveMotionPreset } from '#shared/rules/motion-presets.ts';
import { type InputRole, TOOLS } from '#shared/rules/tools.ts';

/**
 * Converts a generation to an order for one job of the engine. Null when its model or background has been removed from
 * the catalogue, or a photo is missing.
 */
export function toEngineOrder(
  app: AppContext,
  { id: generationId, kind, settings }: Generation,
  inputs: readonly InputPhoto[],
  run: Pick<GenerationOrder, 'runId' | 'positions' | 'webhookUrl'>,
): GenerationOrder | null {
  const job = { ...run, subjectMask: findSubjectMask(app, inputs) };
  switch (kind) {
    case 'video': {
      const photos = orderPhotos(app, kind, inputs);
      return photos && { kind, generationId, photos, ...job, ...describeVideo(settings) };
    }
    case 'model_change': {
      const photos = orderPhotos(app, kind, inputs);
      const choice = describeModelChange(app, settings);
      return photos && choice && { kind, generationId, photos, ...job, ...choice };
    }
    case 'photosession': {
      const photos = orderPhotos(app, kind, inputs);
      return photos && { kind, generationId, photos, ...job };
    }
    case 'try_on': {
      const photos = orderPhotos(app, kind, inputs);
      return photos && { kind, generationId, photos, ...job, ...tryOnSettings.parse(settings) };
    }
  }
}

/** The photos by role. Null unless the tool has all its photos. */
function orderPhotos<Kind extends GenerationKind>(
  app: AppContext,
  kind: Kind,
  inputs: readonly InputPhoto[],
): OrderedPhotos<Kind> | null {
  const roles: readonly InputRole[] = TOOLS[kind].inputs;
  const photos = new Map(inputs.map((photo) => [photo.role, () => openPhotoMaster(app, photo)]));
  if (!roles.every((role) => photos.has(role))) return null;
  return Object.fromEntries(photos) as unknown as OrderedPhotos<Kind>;
}

function findSubjectMask(app: AppContext, inputs: readonly InputPhoto[]): OpenPhoto | undefined {
  const subject = inputs.find(({ role }) => role === 'subject');
  const mask = subject && findMask(subject);
  return mask ? () => openPhotoFile(app, mask) : undefined;
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
    model: model && {
      id: model.id,
      gender: model.category === 'men' ? ('man' as const) : ('woman' as const),
      openImage: () => openCatalogueImage(app, model),
    },
    background:
      background.type === 'keep_original'
        ? null
        : { id: background.id, floor: background.floor, openImage: () => openCatalogueImage(app, background) },
  };
}

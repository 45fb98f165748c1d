import type {
  EngineAbilities,
  EngineRegistry,
  GenerationEngine,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { PHOTOS_TRAVEL, type PhotosTravel } from '#shared/rules/tool-abilities.ts';

/**
 * What each tool makes with the engine that is configured for it. This is the only place that derives it from the
 * engines. Site, services and bot ask here. A tool that no engine can serve is described by the lesser ability.
 */
export function describeTools({ engines }: Pick<AppContext, 'engines'>): ToolAbilities {
  const video = engines.of('video')?.abilities.video;
  return {
    change: engines.of('model_change')?.abilities.model_change?.change ?? 'background_change',
    frames: engines.of('photosession')?.abilities.photosession?.frames ?? 'views',
    mover: video?.mover ?? 'camera',
    offered: GENERATION_KINDS.filter((kind) => engines.of(kind)),
    videoSeconds: [...(video?.seconds ?? [])],
    aspectRatios: [...(video?.aspectRatios ?? [])],
    documentsVersion: DOCUMENTS_VERSION,
    transferVersion: TRANSFER_VERSION,
  };
}

/** The engine of new orders of this kind. Throws tool_not_offered. */
export function getEngine({ engines }: Pick<AppContext, 'engines'>, kind: GenerationKind): GenerationEngine {
  const engine = engines.of(kind);
  if (!engine) throw new AppError('tool_not_offered');
  return engine;
}

export function findPhotosTravel(engines: EngineRegistry): PhotosTravel {
  const used = GENERATION_KINDS.flatMap((kind) => engines.of(kind)?.photosTravel ?? []);
  return PHOTOS_TRAVEL.findLast((one) => used.includes(one)) ?? 'nowhere';
}

const DRAWS_ANEW: Record<GenerationKind, (abilities: EngineAbilities) => boolean> = {
  video: ({ video }) => video?.mover === 'person',
  model_change: ({ model_change: ability }) => ability?.change === 'model_change',
  photosession: ({ photosession }) => photosession?.frames === 'poses',
  try_on: ({ try_on: ability }) => ability !== null,
};

/** Whether the engine draws the garments of this tool's photos anew, so that they may come out differently. */
export function drawsGarmentsAnew({ abilities }: Pick<GenerationEngine, 'abilities'>, kind: GenerationKind): boolean {
  return DRAWS_ANEW[kind](abilities);
}

import type { AppContext } from '#api/services/app-context.ts';
import { type MadeSources, whatIsMade } from '#api/services/ground/what-is-made.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { MOTION_NAMES, resolveMotionPreset } from '#shared/rules/motion-presets.ts';
import { composeTitle } from '#shared/rules/result-titles.ts';
import type { Made } from '#shared/rules/what-is-made.ts';

const TOOLS: Record<Exclude<Made, 'video'>, string> = {
  model_change: 'Смена-модели',
  background_change: 'Смена-фона',
  photo_kept: 'Смена-фона',
  photosession: 'Фотосессия',
};

type TitleSources = Pick<AppContext, 'db'> & MadeSources;
type TitledGeneration = Pick<Generation, 'id' | 'kind' | 'settings' | 'photoId' | 'createdAt'>;

/** What a result is called, in the gallery and on its owner's disk. `position`: its place among the results, from 0. */
export function titleResult(app: TitleSources, generation: TitledGeneration, position: number): Promise<string> {
  const made = nameMade(app, generation);
  return title(app, generation, generation.kind === 'photosession' ? `${made}-${position + 1}` : made);
}

/** The same for all results of a generation together. */
export function titleGeneration(app: TitleSources, generation: TitledGeneration): Promise<string> {
  return title(app, generation, nameMade(app, generation));
}

async function title(app: Pick<AppContext, 'db'>, generation: TitledGeneration, made: string): Promise<string> {
  const { id, photoId, createdAt } = generation;
  const { name } = await app.db.photo.findUniqueOrThrow({ where: { id: photoId }, select: { name: true } });
  return composeTitle({ photoName: name, made, startedAt: createdAt, generationId: id });
}

function nameMade(app: MadeSources, generation: TitledGeneration): string {
  const made = whatIsMade(app, generation);
  if (made !== 'video') return TOOLS[made];
  const { preset, prompt } = videoSettings.partial().parse(generation.settings);
  return MOTION_NAMES[resolveMotionPreset({ ...(preset ? { preset } : {}), ...(prompt ? { prompt } : {}) })];
}

import type { WithDb } from '#api/services/app-context.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { storedVideoSettings } from '#shared/contract/video-settings.ts';
import { MOTION_NAMES, resolveMotionPreset } from '#shared/rules/motion-presets.ts';
import { composeTitle } from '#shared/rules/result-titles.ts';
import { RESULT_WORDS, TOOLS } from '#shared/rules/tools.ts';

const NAME_WITHOUT_PHOTO = 'Фото';

type TitledGeneration = Pick<Generation, 'id' | 'kind' | 'settings' | 'createdAt'>;

/** Title of a result in the gallery and name of its downloaded file. `position`: index among the results, from 0. */
export function titleResult(app: WithDb, generation: TitledGeneration, position: number): Promise<string> {
  const part = nameResultKind(generation);
  const isOneOfSeveral = TOOLS[generation.kind].outputs.count > 1;
  return title(app, generation, isOneOfSeveral ? `${part}-${position + 1}` : part);
}

/** Title for all results of a generation together. */
export function titleGeneration(app: WithDb, generation: TitledGeneration): Promise<string> {
  return title(app, generation, nameResultKind(generation));
}

async function title(app: WithDb, generation: TitledGeneration, made: string): Promise<string> {
  const { id, createdAt } = generation;
  // A late result may come after its owner has deleted the photo.
  const photo = await app.db.photo.findFirst({
    where: { usedBy: { some: { generationId: id, position: 0 } } },
    select: { name: true },
  });
  return composeTitle({ photoName: photo?.name ?? NAME_WITHOUT_PHOTO, made, startedAt: createdAt, generationId: id });
}

function nameResultKind(generation: TitledGeneration): string {
  const { titlePart } = RESULT_WORDS[resultKindOf(generation)];
  if (titlePart !== null) return titlePart;
  const { preset, prompt } = storedVideoSettings.parse(generation.settings);
  return MOTION_NAMES[resolveMotionPreset({ ...(preset ? { preset } : {}), ...(prompt ? { prompt } : {}) })];
}

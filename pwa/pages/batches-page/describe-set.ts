import { useQuery } from '@tanstack/react-query';
import { catalogueQuery } from '#pwa/features/model-changes/catalogue.ts';
import { useChange } from '#pwa/features/tools/tools.ts';
import { describeSeconds } from '#pwa/features/videos/shown-video.ts';
import { fromVideoSettings } from '#pwa/features/videos/video-form.ts';
import type { BatchSet } from '#shared/contract/batches.ts';
import { GARMENT_CATEGORY_NAMES } from '#shared/rules/garments.ts';
import { MOTION_NAMES } from '#shared/rules/motion-presets.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** «Видео: Подиум, 5 секунд, 3:4». Models and backgrounds that are gone are left out. */
export function useSetText(): (set: BatchSet) => string {
  const change = useChange();
  const catalogue = useQuery(catalogueQuery).data;
  return (set) => {
    switch (set.kind) {
      case 'video': {
        const { preset, duration, aspectRatio } = fromVideoSettings(set.settings);
        return `${TOOLS.video.name}: ${MOTION_NAMES[preset]}, ${describeSeconds(duration)}, ${aspectRatio}`;
      }
      case 'model_change': {
        const model = catalogue?.models.find(({ id }) => id === set.settings.modelId);
        const background = catalogue?.backgrounds.find(({ id }) => id === set.settings.backgroundId);
        const chosen = [model?.name, background?.name].filter(Boolean).join(', ');
        return chosen ? `${CHANGE_NAMES[change]}: ${chosen}` : CHANGE_NAMES[change];
      }
      case 'try_on':
        return `${TOOLS.try_on.name}: ${GARMENT_CATEGORY_NAMES[set.settings.category]}`;
      case 'photosession':
        return TOOLS.photosession.name;
    }
  };
}

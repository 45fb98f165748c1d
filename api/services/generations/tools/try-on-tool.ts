import { AppError } from '#api/platform/errors.ts';
import { tryOnSettings } from '#shared/contract/try-on-settings.ts';
import type { GenerationTool } from './generation-tool.ts';
import { imageStore } from './image-results.ts';

/** A photo of the person in the garment. Throws invalid_request when both photos are the same. */
export const tryOnTool: GenerationTool<'try_on'> = {
  prepare(_, { photos: { subject, person }, choice }) {
    const isSame =
      subject && person && 'imageId' in subject && 'imageId' in person && subject.imageId === person.imageId;
    if (isSame) {
      throw new AppError('invalid_request', { fields: { personImageId: 'Вещь и человек должны быть на разных фото' } });
    }
    return { choice };
  },
  prepareAgain: (_, settings) => ({ choice: settings }),
  store: imageStore,
  view: (settings) => ({ kind: 'try_on', settings: tryOnSettings.parse(settings) }),
  viewForm: () => ({}),
};

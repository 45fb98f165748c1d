import { toast } from '#pwa/components/toast.ts';
import {
  type GenerationStart,
  isShortOfStars,
  useStartGeneration,
} from '#pwa/features/generations/use-start-generation.ts';
import { uploadFile } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { BUY_STARS } from '#pwa/messages.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { backgroundUrl } from './catalogue.ts';
import type { StartedModelChange } from './model-change-status.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';

export interface StartRequest {
  photo: UploadedPhoto;
  model: CatalogueModel;
  background: CatalogueBackground;
}

type Outcomes = Pick<
  GenerationStart<StartRequest, object, StartedModelChange>,
  'onStarted' | 'onAlreadyActive' | 'onRefused'
>;

/** Starts a change of model. A refused paid background is told by whoever offers to buy it. */
export function useStartModelChange({ onBuyStars, ...outcomes }: Outcomes & { onBuyStars: () => void }) {
  return useStartGeneration({
    toBody: ({ photo, model, background }: StartRequest) => ({
      imageId: photo.id,
      modelImageUrl: model.imageUrl,
      backgroundImageUrl: backgroundUrl(background),
    }),
    send: (fields, options) => uploadFile(startModelChange, { fields }, options),
    failedText: MODEL_CHANGE_TEXTS.startFailedHint,
    errorType: 'model_change_start',
    tellFailure: (error, message) => {
      if (isShortOfStars(error)) {
        toast({
          title: MODEL_CHANGE_TEXTS.notEnoughStars,
          description: MODEL_CHANGE_TEXTS.notEnoughStarsHint,
          tone: 'danger',
          action: { label: BUY_STARS, onSelect: onBuyStars },
        });
      } else if (!(error instanceof ApiError && error.code === 'premium_background')) {
        toast({ title: MODEL_CHANGE_TEXTS.startFailed, description: message, tone: 'danger' });
      }
    },
    ...outcomes,
  });
}

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
import type { Change } from '#shared/rules/tool-abilities.ts';
import { backgroundUrl } from './catalogue.ts';
import type { StartedModelChange } from './model-change-status.ts';
import { CHANGE_TEXTS, MODEL_CHANGE_TEXTS } from './model-change-texts.ts';

export interface StartRequest {
  /** What the page has said that will be made. */
  change: Change;
  photo: UploadedPhoto;
  /** Null where nobody is put in. */
  model: CatalogueModel | null;
  background: CatalogueBackground;
}

/** What the server is sent beside the photo, now or when there is a network. */
export function writeFields({ change, model, background }: Omit<StartRequest, 'photo'>) {
  return {
    ...(model && { modelImageUrl: model.imageUrl }),
    backgroundImageUrl: backgroundUrl(background),
    agreedChange: change,
  };
}

type Outcomes = Pick<
  GenerationStart<StartRequest, object, StartedModelChange>,
  'onStarted' | 'onAlreadyActive' | 'onRefused'
>;

/** Starts a change of model. A refused paid background is told by whoever offers to buy it. */
export function useStartModelChange({
  change,
  onBuyStars,
  ...outcomes
}: Outcomes & { change: Change; onBuyStars: () => void }) {
  const texts = CHANGE_TEXTS[change];
  return useStartGeneration({
    toBody: ({ photo, ...choice }: StartRequest) => ({ imageId: photo.id, ...writeFields(choice) }),
    send: (fields, options) => uploadFile(startModelChange, { fields }, options),
    failedText: texts.startFailedHint,
    errorType: 'model_change_start',
    tellFailure: (error, message) => {
      if (isShortOfStars(error)) {
        toast({
          title: MODEL_CHANGE_TEXTS.notEnoughStars,
          description: texts.notEnoughStarsHint,
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

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { uploadFile } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { createStartIntent, isUncertain } from '#pwa/lib/start-intent.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { BUY_STARS } from '#pwa/messages.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/videos.ts';
import { backgroundUrl } from './catalogue.ts';
import type { StartedModelChange } from './model-change-status.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';

export interface StartRequest {
  photo: UploadedPhoto;
  model: CatalogueModel;
  background: CatalogueBackground;
}

export interface StartOutcomes {
  onStarted: (answer: StartedModelChange, request: StartRequest) => void;
  /** Another change of model of this account runs; its id when the server told it. */
  onAlreadyActive: (requestId: string | null) => void;
  onRefused: (error: ApiError) => void;
  onBuyStars: () => void;
}

/** Starts a change of model; a repeat after a lost answer carries the same Idempotency-Key. */
export function useStartModelChange({ onStarted, onAlreadyActive, onRefused, onBuyStars }: StartOutcomes) {
  const [intent] = useState(createStartIntent);
  return useMutation({
    mutationFn: ({ photo, model, background }: StartRequest) => {
      const fields = {
        imageId: photo.id,
        modelImageUrl: model.imageUrl,
        backgroundImageUrl: backgroundUrl(background),
      };
      const headers = { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(fields) };
      return uploadFile(startModelChange, { fields }, { headers });
    },
    onSuccess: (answer, request) => {
      intent.settle();
      onStarted(answer, request);
    },
    onError: (error) => {
      const status = error instanceof ApiError ? error.status : 0;
      if (!isUncertain(status)) intent.settle();
      const message = describeError(error, MODEL_CHANGE_TEXTS.startFailedHint);
      if (error instanceof ApiError && error.code === 'active_generation') {
        toast({
          title: MODEL_CHANGE_TEXTS.alreadyActive,
          description: MODEL_CHANGE_TEXTS.alreadyActiveHint,
          tone: 'danger',
        });
        return onAlreadyActive(error.details.generationId ?? null);
      }
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
      trackEvent('error_occurred', {
        error_type: 'model_change_start',
        error_message: message,
        page_location: pageLocation(),
      });
      if (error instanceof ApiError) onRefused(error);
    },
  });
}

/** By the code; by the text where another server sends none. */
export function isShortOfStars(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code ? error.code === 'not_enough_stars' : /недостаточно зв[её]зд/i.test(error.serverMessage ?? '');
}

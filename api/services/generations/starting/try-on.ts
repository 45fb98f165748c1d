import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { TryOnSettings } from '#shared/contract/try-on-settings.ts';
import { startGeneration } from './start-generation.ts';

interface TryOnRequest {
  accountId: number;
  garmentId: string;
  personId: string;
  settings: TryOnSettings;
  /** In stars. The try-on is refused at any other price. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/**
 * Starts a photo of the person in the garment. Throws invalid_request when both photos are the same, and what
 * startGeneration throws.
 */
export async function startTryOn(
  app: AppContext,
  { accountId, garmentId, personId, settings, agreedPrice, idempotencyKey }: TryOnRequest,
): Promise<{ generationId: string }> {
  if (garmentId === personId) {
    throw new AppError('invalid_request', { fields: { personImageId: 'Вещь и человек должны быть на разных фото' } });
  }
  return startGeneration(app, {
    accountId,
    kind: 'try_on',
    photos: { subject: { imageId: garmentId }, person: { imageId: personId } },
    choice: settings,
    agreedPrice,
    idempotencyKey,
  });
}

import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/core/ownership.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { pictureWork } from '#api/services/generations/results/pictures.ts';
import { getOwnItem } from '#api/services/generations/results/results.ts';
import type { Result } from '#prisma/generated/client.ts';
import type { GarmentCropSide } from '#shared/contract/garment-checks.ts';

/**
 * The part of the garment that has drifted, as WebP. For an owner who has not paid it has the logo, but for that of an
 * uploaded photo. Null when the garment has not drifted.
 */
export async function readGarmentCrop(
  app: AppContext,
  { id: resultId, accountId, generationId }: Pick<Result, 'id' | 'accountId' | 'generationId'>,
  side: GarmentCropSide,
): Promise<Buffer | null> {
  const check = await app.db.garmentCheck.findUnique({
    where: { resultId },
    select: { sourceCrop: side === 'source', resultCrop: side === 'result' },
  });
  const stored = check?.sourceCrop ?? check?.resultCrop;
  if (!stored) return null;
  const crop = Buffer.from(stored);
  const isOwnPhoto = side === 'source' && (await isUploaded(app, generationId));
  if (isOwnPhoto || (await getPremiumStatus(app, accountId)).isPremium) return crop;
  return pictureWork('drawWatermarkedImage', { picture: crop, format: 'webp' });
}

/** Whether the product's photo was uploaded and not picked among the results. */
async function isUploaded({ db }: AppContext, generationId: string): Promise<boolean> {
  const uploads = { generationId, role: 'subject', photo: { resultId: null } } as const;
  return (await db.generationInput.count({ where: uploads })) > 0;
}

/** One side of a comparison for its owner, by the result's id in the interface. Throws ITEM_REFUSALS. */
export async function getGarmentCrop(
  app: AppContext,
  accountId: number,
  { id, side }: { id: string; side: GarmentCropSide },
): Promise<Buffer> {
  const result = await getOwnItem(app.db, accountId, id);
  return (await readGarmentCrop(app, result, side)) ?? refuseUnknown('image');
}

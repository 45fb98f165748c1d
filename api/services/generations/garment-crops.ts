import sharp from 'sharp';
import type { CropBox } from '#api/adapters/garment-check/garment-checker.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/ground/ownership.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import type { Result } from '#prisma/generated/client.ts';
import type { GarmentCropSide } from '#shared/contract/garment-checks.ts';
import { getOwnItem } from './results.ts';
import { drawWatermarkedImage } from './watermarked-copies.ts';

const CROP_MAX_SIDE_PX = 360;

/** Cuts a part out of a picture, as a small WebP. */
export async function cutCrop(picture: Buffer, { left, top, right, bottom }: CropBox): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const [x, y] = [Math.min(Math.floor(left * width), width - 1), Math.min(Math.floor(top * height), height - 1)];
  const part = {
    left: x,
    top: y,
    width: Math.min(width - x, Math.max(1, Math.ceil((right - left) * width))),
    height: Math.min(height - y, Math.max(1, Math.ceil((bottom - top) * height))),
  };
  return sharp(picture)
    .extract(part)
    .resize(CROP_MAX_SIDE_PX, CROP_MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 85 })
    .toBuffer();
}

/**
 * The part of the garment that has drifted, as WebP. That of the result has the logo for an owner who has not paid. Null
 * when the garment has not drifted.
 */
export async function readGarmentCrop(
  app: AppContext,
  { id: resultId, accountId }: Pick<Result, 'id' | 'accountId'>,
  side: GarmentCropSide,
): Promise<Buffer | null> {
  const check = await app.db.garmentCheck.findUnique({
    where: { resultId },
    select: { sourceCrop: side === 'source', resultCrop: side === 'result' },
  });
  const stored = check?.sourceCrop ?? check?.resultCrop;
  if (!stored) return null;
  const crop = Buffer.from(stored);
  if (side === 'source' || (await getPremiumStatus(app, accountId)).isPremium) return crop;
  return drawWatermarkedImage(app, crop, 'webp');
}

/** The same for the owner, by the result's id in the interface. Throws image_not_found, image_forbidden. */
export async function getGarmentCrop(
  app: AppContext,
  accountId: number,
  { id, side }: { id: string; side: GarmentCropSide },
): Promise<Buffer> {
  const result = await getOwnItem(app.db, accountId, id);
  return (await readGarmentCrop(app, result, side)) ?? refuseUnknown('image');
}

import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';
import { idText } from './ids.ts';
import { ITEM_REFUSALS } from './item-refusals.ts';

/**
 * Whether a generated result shows the garment of its photo. `pending`: being compared. `not_comparable`: nothing can
 * be said, for example because the person has turned away.
 */
export const GARMENT_VERDICTS = ['pending', 'kept', 'drifted', 'not_comparable'] as const;
export const GARMENT_DRIFTS = ['colour', 'print'] as const;
export type GarmentDrift = (typeof GARMENT_DRIFTS)[number];

export const GARMENT_CROP_SIDES = ['source', 'result'] as const;
export type GarmentCropSide = (typeof GARMENT_CROP_SIDES)[number];

export const garmentCheck = z.object({
  verdict: z.enum(GARMENT_VERDICTS),
  drifts: z.array(z.enum(GARMENT_DRIFTS)),
  /** One part of the garment in the photo and in the result, at most 360 pixels a side. Null unless `drifted`. */
  crops: z.nullable(z.object({ sourceUrl: z.string(), resultUrl: z.string() })),
});
export type GarmentCheckView = z.infer<typeof garmentCheck>;

/** Whether the drifted results of a generation can be made again for nothing. `used`: they were, or will be. */
export const REROLL_STATES = ['offered', 'used', 'not_offered'] as const;

/** `id`: of a gallery image or of a video. */
export const streamGarmentCrop = defineEndpoint({
  method: 'GET',
  path: '/api/results/:id/garment-crops/:side',
  summary: 'The part of a garment that has drifted, in the photo or in the result',
  access: 'account',
  params: z.object({ id: idText, side: z.enum(GARMENT_CROP_SIDES) }),
  errors: [...ITEM_REFUSALS],
});

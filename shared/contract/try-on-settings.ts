import * as z from 'zod/mini';
import { DEFAULT_GARMENT_CATEGORY, GARMENT_CATEGORIES } from '#shared/rules/garments.ts';

/** Settings of a try-on, as its row stores them and as its owner sees them. */
export const tryOnSettings = z.object({
  category: z._default(z.enum(GARMENT_CATEGORIES), DEFAULT_GARMENT_CATEGORY),
});
export type TryOnSettings = z.infer<typeof tryOnSettings>;

import * as z from 'zod/mini';

/** What photos and results show of their product. */
export const productMark = z.object({ id: z.string(), article: z.string() });
export type ProductMark = z.infer<typeof productMark>;

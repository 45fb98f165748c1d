import * as z from 'zod/mini';
import { productMark } from './product-mark.ts';

/** What a result is called, as fields of whatever shows it. */
export const resultName = {
  /** What people read: «ART-123, Видео 2», or the name that its owner has given. */
  title: z.string(),
  /** Whether its owner has given the name. */
  isRenamed: z.boolean(),
  /** The name of its file: `ART-123_Видео_2.mp4`. */
  fileName: z.string(),
  /** Null without one. */
  product: z.nullable(productMark),
  /** The name of its photo, without an extension. It takes the article's place where there is no product. */
  photoName: z.string(),
  /** Counted from 1 for each article (or photo's name) and kind of result. */
  number: z.int(),
  /** Index among the results of its generation, from 0. Files may be ready out of order. */
  position: z.int(),
};
export type ResultName = z.infer<z.ZodMiniObject<typeof resultName>>;

import * as z from 'zod/mini';
import { POSITIONS } from '#shared/rules/suiting-backgrounds.ts';
import { defineEndpoint } from './endpoint.ts';

export const MODEL_CATEGORIES = ['women', 'men'] as const;
export const AGE_RANGES = ['18-25', '26-35'] as const;
export const BACKGROUND_TYPES = ['studio', 'abstract', 'themed', 'keep_original'] as const;

/** A picture of the catalogue: WebP for everybody, AVIF for browsers that accept it, both of the same size. */
const picture = { imageUrl: z.string(), avifUrl: z.string(), width: z.int(), height: z.int(), alt: z.string() };

export const catalogueModel = z.object({
  id: z.string(),
  name: z.string(),
  ageRange: z.enum(AGE_RANGES),
  category: z.enum(MODEL_CATEGORIES),
  ...picture,
});
export type CatalogueModel = z.infer<typeof catalogueModel>;

export const catalogueBackground = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(BACKGROUND_TYPES),
  isPremium: z.boolean(),
  description: z.string(),
  suits: z.array(z.enum(POSITIONS)),
  ...picture,
});
export type CatalogueBackground = z.infer<typeof catalogueBackground>;

export const getCatalogue = defineEndpoint({
  method: 'GET',
  path: '/api/catalogue',
  summary: 'Models and backgrounds to choose from',
  access: 'public',
  answer: z.object({ models: z.array(catalogueModel), backgrounds: z.array(catalogueBackground) }),
});

import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { PUBLIC_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import {
  type AGE_RANGES,
  type BACKGROUND_TYPES,
  type CatalogueBackground,
  type CatalogueModel,
  getCatalogue,
  type MODEL_CATEGORIES,
} from '#shared/contract/catalogue.ts';
import { getPhotoSubject } from '#shared/contract/uploads.ts';

export type Catalogue = z.infer<(typeof getCatalogue)['answer']>;
export type ModelCategory = (typeof MODEL_CATEGORIES)[number];
export type AgeRange = (typeof AGE_RANGES)[number];
export type BackgroundType = (typeof BACKGROUND_TYPES)[number];

/** Models and backgrounds. An operator changes them rarely, so they are fetched once a visit. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }): Promise<Catalogue> => callApi(getCatalogue, undefined, { signal }),
  staleTime: PUBLIC_DATA_STALE_MS,
  meta: { persist: 'whole' },
});

/** What the photo shows, which decides the order of backgrounds. While unknown, they keep the catalogue's order. */
export const photoSubjectQuery = (photoId: string) =>
  queryOptions({
    queryKey: ['photo-subject', photoId],
    queryFn: ({ signal }) => callApi(getPhotoSubject, { params: { id: photoId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export function filterModels(
  models: readonly CatalogueModel[],
  { category, ageRange }: { category: ModelCategory; ageRange: AgeRange | 'all' },
): CatalogueModel[] {
  return models.filter((model) => model.category === category && (ageRange === 'all' || model.ageRange === ageRange));
}

/** The backgrounds of a type. Among all types the photo's own comes first and the paid ones last. */
export function filterBackgrounds(
  backgrounds: readonly CatalogueBackground[],
  type: BackgroundType | 'all',
): CatalogueBackground[] {
  const rank = (background: CatalogueBackground) =>
    background.type === 'keep_original' ? 0 : background.isPremium ? 2 : 1;
  return backgrounds
    .filter((background) => type === 'all' || background.type === type)
    .sort((one, other) => rank(one) - rank(other));
}

/** The value that the server expects for a background: empty when the photo keeps its own. */
export function backgroundUrl({ type, imageUrl }: Pick<CatalogueBackground, 'type' | 'imageUrl'>): string {
  return type === 'keep_original' ? '' : imageUrl;
}

/** «18–25» */
export function formatAgeRange(ageRange: AgeRange): string {
  return ageRange.replace('-', '–');
}

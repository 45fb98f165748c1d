import { countResults, nb } from '#pwa/format.ts';
import type { Product } from '#shared/contract/products.ts';

/** «3 фото · 12 результатов» */
export function countProductParts({ photos, results }: Pick<Product, 'photos' | 'results'>): string {
  return nb(`${photos} фото · ${countResults(results)}`);
}

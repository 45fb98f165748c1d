import { nb } from '#pwa/format.ts';
import type { Product } from '#shared/contract/products.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** «3 фото · 12 результатов» */
export function countProductParts({ photos, results }: Pick<Product, 'photos' | 'results'>): string {
  return nb(`${photos} фото · ${results} ${pluralize(results, ['результат', 'результата', 'результатов'])}`);
}

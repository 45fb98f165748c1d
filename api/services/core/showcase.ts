import type { AppContext } from '#api/services/app-context.ts';
import type { Showcase } from '#shared/contract/showcase.ts';

const SHOWN_MODELS = 10;
const WOMEN_BEFORE_EACH_MAN = 2;

/** Data of the landing page. Its models alternate: two women, one man, and so on. */
export function describeShowcase({ catalogue, config }: Pick<AppContext, 'catalogue' | 'config'>): Showcase {
  const women = catalogue.models.filter(({ category }) => category === 'women');
  const men = catalogue.models.filter(({ category }) => category === 'men');
  const mixed = men.flatMap((man, index) => {
    const first = index * WOMEN_BEFORE_EACH_MAN;
    return [...women.slice(first, first + WOMEN_BEFORE_EACH_MAN), man];
  });
  return {
    models: mixed.slice(0, SHOWN_MODELS),
    counts: { women: women.length, men: men.length, backgrounds: catalogue.backgrounds.length },
    areExamplesShown: !config.isProduction,
  };
}

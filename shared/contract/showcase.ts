import * as z from 'zod/mini';
import { catalogueModel } from './catalogue.ts';
import { defineEndpoint } from './endpoint.ts';

/** Data of the landing page that depends on the installation. */
export const showcase = z.object({
  models: z.array(z.omit(catalogueModel, { alt: true, category: true })),
  counts: z.object({ women: z.int(), men: z.int(), backgrounds: z.int() }),
  /** Whether sample content is shown, such as an invented testimonial. Never in production. */
  areExamplesShown: z.boolean(),
});
export type Showcase = z.infer<typeof showcase>;

export const getShowcase = defineEndpoint({
  method: 'GET',
  path: '/api/showcase',
  summary: 'What the first page shows of the catalogue and of how this installation is set up',
  access: 'public',
  answer: showcase,
});

import * as z from 'zod/mini';
import type { DraftRecord } from '#pwa/features/generations/use-stored-draft.ts';
import { MARKETPLACES } from '#shared/rules/marketplaces.ts';
import { DEFAULT_PACK_TEMPLATE, PACK_TEMPLATE_MAX_LENGTH } from '#shared/rules/packs.ts';

const packDraft = z.object({
  marketplaces: z.array(z.enum(MARKETPLACES)).check(z.minLength(1)),
  template: z.string().check(z.minLength(1), z.maxLength(PACK_TEMPLATE_MAX_LENGTH)),
});
type PackDraft = z.output<typeof packDraft>;

const EMPTY: PackDraft = { marketplaces: [...MARKETPLACES], template: DEFAULT_PACK_TEMPLATE };

/** What was chosen for the packs before. A seller repeats it for each product. */
export const PACK_DRAFT: DraftRecord<PackDraft> = {
  name: 'packDraft',
  shape: packDraft,
  empty: EMPTY,
  join: (saved, current) => (current === EMPTY ? saved : current),
};

import * as z from 'zod/mini';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import { useSettled } from '#pwa/device/use-settled.ts';
import { type DraftRecord, useStoredDraft } from '#pwa/features/generations/use-stored-draft.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import type { PackSubject } from '#shared/contract/packs.ts';
import { MARKETPLACES, type Marketplace } from '#shared/rules/marketplaces.ts';
import { DEFAULT_PACK_TEMPLATE, PACK_TEMPLATE_MAX_LENGTH } from '#shared/rules/packs.ts';
import { usePackPreviews } from './pack-queries.ts';

/** The server is asked for a preview once the template has not changed for this long. */
const QUIET_MS = 500;

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

export type PackForm = ReturnType<typeof usePackForm>;

/** What is chosen for new packs, and what would become of it. The device keeps the choice. */
export function usePackForm(subject: PackSubject) {
  const userId = useSessionMarker()?.userId ?? 0;
  const { draft, isRead, change } = useStoredDraft(userId, PACK_DRAFT);
  const template = useSettled(draft.template, QUIET_MS);
  const isSettled = isRead && template === draft.template;
  const canAsk = draft.marketplaces.length > 0 && template.trim() !== '';
  const preview = usePackPreviews(subject, { ...draft, template }, isSettled && canAsk);
  const isUpToDate = isSettled && preview.isSuccess && !preview.isPlaceholderData;
  return {
    draft,
    /** Whether the choice of an earlier time is known. */
    isRead,
    preview,
    /** Of the chosen marketplaces. While they are asked for again, those before. */
    previews: (canAsk && preview.data) || [],
    isUpToDate,
    /** Paths that several files would have, as far as it is known. */
    collisions: isUpToDate ? [...new Set(preview.data.flatMap(({ collisions }) => collisions))] : [],
    /** Whether nothing is there that could be packed. */
    isEmpty: isRefusedFor(preview.error, 'pack_empty'),
    setTemplate: (next: string) => change((now) => ({ ...now, template: next })),
    setChosen: (marketplace: Marketplace, isChosen: boolean) =>
      change((now) => ({
        ...now,
        marketplaces: MARKETPLACES.filter((name) =>
          name === marketplace ? isChosen : now.marketplaces.includes(name),
        ),
      })),
  };
}

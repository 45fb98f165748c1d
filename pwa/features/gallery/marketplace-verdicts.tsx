import { Check, CircleHelp, type LucideIcon, X } from 'lucide-react';
import { judgeForMarketplaces, MARKETPLACE_NAMES } from '#shared/rules/marketplaces.ts';
import type { GalleryItem } from './gallery-item.ts';
import { readVerdict, SHORT_NAMES, VERDICT_TEXTS, type Verdict } from './marketplace-verdict.ts';

export const VERDICT_LOOK: Record<Verdict, { Icon: LucideIcon; color: string }> = {
  fits: { Icon: Check, color: 'text-success' },
  fails: { Icon: X, color: 'text-danger' },
  unknown: { Icon: CircleHelp, color: 'text-muted' },
};

/** In one line whether the file fits each marketplace. */
export function MarketplaceVerdicts({ item }: { item: GalleryItem }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted font-normal">
      {judgeForMarketplaces(item.file).map((judgement) => {
        const verdict = readVerdict(judgement, item.file);
        const { Icon, color } = VERDICT_LOOK[verdict];
        const name = MARKETPLACE_NAMES[judgement.marketplace];
        return (
          <span key={judgement.marketplace} className="inline-flex items-center gap-0.5" title={name}>
            <Icon className={`ic ic-s ${color}`} />
            {SHORT_NAMES[judgement.marketplace]}
            <span className="sr-only"> — {VERDICT_TEXTS[verdict]}.</span>
          </span>
        );
      })}
    </span>
  );
}

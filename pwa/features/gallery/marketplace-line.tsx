import { Check, CircleHelp, type LucideIcon, X } from 'lucide-react';
import { judgeForMarketplaces, MARKETPLACE_NAMES } from '#shared/rules/marketplaces.ts';
import type { GalleryItem } from './gallery-item.ts';
import { readVerdict, SHORT_NAMES, VERDICT_TEXTS, type Verdict } from './marketplace-verdict.ts';

export const VERDICT_LOOK: Record<Verdict, { Icon: LucideIcon; color: string }> = {
  fits: { Icon: Check, color: 'text-success' },
  fails: { Icon: X, color: 'text-danger' },
  unknown: { Icon: CircleHelp, color: 'text-muted' },
};

export interface MarketplaceLineProps {
  item: GalleryItem;
  onOpen: () => void;
}

/** Shows in one line whether the file fits each marketplace. A press opens the details. */
export function MarketplaceLine({ item, onOpen }: MarketplaceLineProps) {
  const verdicts = judgeForMarketplaces(item.file).map((judgement) => ({
    marketplace: judgement.marketplace,
    verdict: readVerdict(judgement, item.file),
  }));
  const labels = verdicts.map(
    ({ marketplace, verdict }) => `${MARKETPLACE_NAMES[marketplace]} — ${VERDICT_TEXTS[verdict]}`,
  );
  return (
    <button
      type="button"
      className="flex flex-wrap items-center gap-x-2 min-h-11 w-full text-xs text-muted text-left hover:text-ink"
      title={labels.join(', ')}
      onClick={onOpen}
    >
      <span className="sr-only">Маркетплейсы:</span>
      {verdicts.map(({ marketplace, verdict }) => {
        const { Icon, color } = VERDICT_LOOK[verdict];
        return (
          <span key={marketplace} className="inline-flex items-center gap-0.5">
            <Icon className={`ic ic-s ${color}`} />
            {SHORT_NAMES[marketplace]}
            <span className="sr-only"> — {VERDICT_TEXTS[verdict]}.</span>
          </span>
        );
      })}
      <span className="sr-only">Подробнее: {item.title}</span>
    </button>
  );
}

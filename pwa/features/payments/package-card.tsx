import { RadioOption } from '#pwa/components/radio-group.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { formatRubles, nb } from '#pwa/format.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import { findStarTier } from '#shared/rules/star-tiers.ts';

const BADGE_LOOKS = { ПРЕМИУМ: 'ink', ПОПУЛЯРНЫЙ: 'thread', ВЫГОДНЫЙ: 'star-t' } as const;

/** A package as an option of the group. */
export function PackageCard({ item }: { item: StarPackage }) {
  const tier = findStarTier(item.stars);
  return (
    <RadioOption
      value={String(item.id)}
      className="opt w-full px-4 py-3 grid grid-cols-[minmax(0,1fr)_auto] max-[18rem]:grid-cols-1 gap-x-4 data-[state=checked]:shadow-[inset_0_0_0_2px_var(--color-ink)]"
    >
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold min-w-0 break-words">{item.name}</span>
        {tier.badge && <span className={`tag ${BADGE_LOOKS[tier.badge]}`}>{tier.badge}</span>}
      </span>
      <StarCount count={item.stars} className="min-[18rem]:justify-end text-xl font-semibold" />
      <span className="text-sm text-muted">{nb(tier.text)}</span>
      <span className="num font-semibold min-[18rem]:text-right">{formatRubles(item.priceRub)}</span>
      <span className="num text-xs text-muted mt-1">{describeVideos(item.stars)}</span>
      <span className="num text-xs text-muted mt-1 min-[18rem]:text-right whitespace-nowrap">
        ≈ {formatRubles(starPrice(item))}
        <span className="max-md:sr-only"> за звезду</span>
        <span className="md:hidden" aria-hidden="true">
          /шт.
        </span>
      </span>
    </RadioOption>
  );
}

/** «До 50 видео по 5 с или 25 по 10 с» */
export function describeVideos(stars: number): string {
  const [short, long] = [Math.floor(stars / videoPrice(5)), Math.floor(stars / videoPrice(10))];
  const text = long > 0 ? `До ${short} видео по 5 с или ${long} по 10 с` : `До ${short} видео по 5 с`;
  return nb(text).replaceAll(' видео', '\u00a0видео');
}

/** The price of one star in whole roubles. */
export function starPrice({ priceRub, stars }: Pick<StarPackage, 'priceRub' | 'stars'>): number {
  return Math.round(priceRub / stars);
}

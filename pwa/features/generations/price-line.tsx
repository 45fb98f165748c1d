import { StarIcon } from '#pwa/components/star-icon.tsx';
import { countStars } from '#shared/rules/plurals.ts';

export interface PriceLineProps {
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  price: number;
}

/** «Баланс: 12 звёзд, стоимость: 2 звезды» */
export function PriceLine({ balance, price }: PriceLineProps) {
  return (
    <p className="text-sm text-muted num flex items-center gap-1.5">
      <StarIcon />
      {balance !== null && `Баланс: ${countStars(balance)}, `}
      {balance === null ? 'Стоимость' : 'стоимость'}: {countStars(price)}
    </p>
  );
}

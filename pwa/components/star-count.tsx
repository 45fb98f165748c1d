import { formatNumber } from '#pwa/format.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { StarIcon } from './star-icon.tsx';

export interface StarCountProps {
  count: number;
  /** «14 звёзд» instead of «14». */
  withWord?: boolean;
  className?: string;
}

/** A star and a number of stars. */
export function StarCount({ count, withWord = false, className = '' }: StarCountProps) {
  return (
    <span className={`num inline-flex items-center gap-1.5 ${className}`}>
      <StarIcon />
      {withWord ? countStars(count) : formatNumber(count)}
      {!withWord && <span className="sr-only">{countStars(count).replace(/^\S+\s/, ' ')}</span>}
    </span>
  );
}

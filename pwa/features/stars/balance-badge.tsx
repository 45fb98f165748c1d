import { Link } from 'react-router-dom';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { Tooltip } from '#pwa/components/tooltip.tsx';
import { PATHS } from '#shared/rules/app-paths.ts';
import { useStarBalance } from './use-star-balance.ts';

/** The balance in the header, with a link to the history of stars. */
export function BalanceBadge() {
  const { balance, isLoading } = useStarBalance();
  return (
    <Tooltip text="Ваш баланс звезд">
      <Link
        to={PATHS.stars}
        className="grid items-center min-h-11 no-underline"
        aria-label={balance === undefined ? 'Ваш баланс звезд' : undefined}
      >
        {balance === undefined ? (
          isLoading ? (
            <Skeleton className="h-9 w-[68px]" />
          ) : (
            <span className="bal">—</span>
          )
        ) : (
          <StarCount count={balance} className="bal" />
        )}
      </Link>
    </Tooltip>
  );
}

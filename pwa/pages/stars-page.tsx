import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { UnpaidInvoices, unpaidInvoicesQuery } from '#pwa/features/payments/unpaid-invoices.tsx';
import { StarHistory, starHistoryQuery } from '#pwa/features/stars/star-history.tsx';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { STAR_HISTORY } from '#pwa/messages.ts';

/** The history of the account's stars. */
export default function StarsPage() {
  const { balance } = useStarBalance();
  const { isSuccess: isHistoryLoaded } = useInfiniteQuery(starHistoryQuery);
  const queryClient = useQueryClient();
  return (
    <div className="max-w-[760px]">
      <HomeLink />
      <h1 className="ptitle">{STAR_HISTORY}</h1>
      <div className="flex flex-wrap items-center justify-between gap-3 mt-3 mb-6">
        <p className="text-muted flex flex-wrap items-center gap-x-1.5">
          Баланс:{' '}
          {balance === undefined ? '...' : <StarCount count={balance} withWord className="text-ink font-semibold" />}
        </p>
        <BuyStarsButton source="star_history" variant="second" icon={<StarIcon />} className="max-md:w-full" />
      </div>
      <UnpaidInvoices tellsFailure={isHistoryLoaded} />
      <StarHistory onRetry={() => void queryClient.refetchQueries({ queryKey: unpaidInvoicesQuery.queryKey })} />
    </div>
  );
}

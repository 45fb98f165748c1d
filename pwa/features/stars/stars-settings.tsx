import { ButtonLink } from '#pwa/components/button.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { STAR_HISTORY } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { useStarBalance } from './use-star-balance.ts';

/** The balance on the settings page. Texts of refused generations send people here to top it up. */
export function StarsSettings() {
  const { balance, isLoading } = useStarBalance();
  return (
    <section className="panel p-4 md:p-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div>
        <h2 className="sec">Звёзды</h2>
        {balance !== undefined && (
          <p className="text-sm text-muted mt-1 flex items-center gap-1.5">
            Баланс: <StarCount count={balance} withWord className="text-ink" />
          </p>
        )}
        {isLoading && <Skeleton className="h-5 w-40 mt-1" />}
      </div>
      <div className="flex flex-wrap gap-2 max-md:w-full">
        <BuyStarsButton source="settings" icon={<StarIcon />} className="max-md:w-full" />
        <ButtonLink to={PATHS.stars} variant="second" className="max-md:w-full">
          {STAR_HISTORY}
        </ButtonLink>
      </div>
    </section>
  );
}

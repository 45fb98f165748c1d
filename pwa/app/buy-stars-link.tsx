import { ButtonLink } from '#pwa/components/button.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { BUY_STARS_PATH } from '#pwa/lib/paths.ts';
import { recordServerEvent } from '#pwa/lib/server-events.ts';
import { BUY_STARS } from '#pwa/messages.ts';

export interface BuyStarsLinkProps {
  /** Where it was pressed, for the count. */
  source: string;
  isIcon?: boolean;
  onNavigate?: () => void;
}

/** «Купить звезды» of the sidebar: opens the dialog on the main page. */
export function BuyStarsLink({ source, isIcon = false, onNavigate }: BuyStarsLinkProps) {
  return (
    <ButtonLink
      to={BUY_STARS_PATH}
      variant="second"
      size="sm"
      wide={!isIcon}
      className={isIcon ? '!w-12 !p-0' : ''}
      aria-label={isIcon ? BUY_STARS : undefined}
      title={isIcon ? BUY_STARS : undefined}
      onClick={() => {
        recordServerEvent({ event_name: 'buy_stars_click', source });
        onNavigate?.();
      }}
    >
      <StarIcon />
      {!isIcon && BUY_STARS}
    </ButtonLink>
  );
}

import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { BUY_STARS } from '#pwa/messages.ts';
import { openBuyStars } from './buy-stars.ts';
import type { WayBack } from './way-back.ts';

export interface BuyStarsButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** Where the button is, for the analytics event. */
  source: string;
  /** How many stars the wanted generation lacks. */
  missingStars?: number;
  /** Where the buyer goes on after the payment. By default the open page. */
  findWayBack?: (() => WayBack) | undefined;
}

/** Opens the buy-stars dialog over the page. */
export function BuyStarsButton({
  source,
  missingStars,
  findWayBack,
  children = BUY_STARS,
  ...button
}: BuyStarsButtonProps) {
  return (
    <Button {...button} onClick={() => openBuyStars({ source, missingStars, wayBack: findWayBack?.() ?? null })}>
      {children}
    </Button>
  );
}

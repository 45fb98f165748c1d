import { createStore } from '#pwa/device/store.ts';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import type { WayBack } from './way-back.ts';

export interface BuyStarsRequest {
  /** How many stars a generation lacks; 0 when the dialog was opened for no particular generation. */
  missingStars: number;
  /** The page that the dialog is shown over. */
  pathname: string;
  /** Where the buyer goes on after the payment; null for that page. */
  wayBack: WayBack | null;
}

interface Opening {
  source: string;
  missingStars?: number | undefined;
  wayBack?: WayBack | null;
}

/** What the dialog was opened for; null while it is closed. */
export const buyStarsRequest = createStore<BuyStarsRequest | null>(null);

/** Opens the buy-stars dialog over the current page. */
export function openBuyStars({ source, missingStars = 0, wayBack = null }: Opening): void {
  recordServerEvent({ event_name: 'buy_stars_click', source });
  buyStarsRequest.set({ missingStars, pathname: location.pathname, wayBack });
}

export function closeBuyStars(): void {
  buyStarsRequest.set(null);
}

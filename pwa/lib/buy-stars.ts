import { recordServerEvent } from './server-events.ts';
import type { WayBack } from './wanted-download.ts';

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

let current: BuyStarsRequest | null = null;
const listeners = new Set<() => void>();

/** Opens the buy-stars dialog over the current page. It is here because features must not import each other. */
export function openBuyStars({ source, missingStars = 0, wayBack = null }: Opening): void {
  recordServerEvent({ event_name: 'buy_stars_click', source });
  show({ missingStars, pathname: location.pathname, wayBack });
}

export function closeBuyStars(): void {
  show(null);
}

export function readBuyStarsRequest(): BuyStarsRequest | null {
  return current;
}

export function subscribeBuyStars(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: BuyStarsRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

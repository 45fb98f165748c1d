import { recordServerEvent } from './server-events.ts';

export interface BuyStarsRequest {
  /** Stars that a wanted generation lacks; 0 when nothing in particular is wanted. */
  missingStars: number;
  /** The page over which the dialog stands. */
  pathname: string;
}

let current: BuyStarsRequest | null = null;
const listeners = new Set<() => void>();

/** Opens the buy-stars dialog over the page shown now. May be called from anywhere: features do not import each other. */
export function openBuyStars({ source, missingStars = 0 }: { source: string; missingStars?: number }): void {
  recordServerEvent({ event_name: 'buy_stars_click', source });
  show({ missingStars, pathname: location.pathname });
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

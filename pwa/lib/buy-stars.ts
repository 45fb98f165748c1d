import { recordServerEvent } from './server-events.ts';

export interface BuyStarsRequest {
  /** How many stars a generation lacks; 0 when the dialog was opened for no particular generation. */
  missingStars: number;
  /** The page that the dialog is shown over. */
  pathname: string;
}

let current: BuyStarsRequest | null = null;
const listeners = new Set<() => void>();

/** Opens the buy-stars dialog over the current page. It is here because features must not import each other. */
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

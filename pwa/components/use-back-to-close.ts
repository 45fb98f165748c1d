import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type BackLayers, createBackLayers } from './back-layers.ts';

let shared: BackLayers | null = null;

/** One for the whole tab; it gets the Back event before the router. */
function getBackLayers(): BackLayers {
  if (shared) return shared;
  const layers = createBackLayers(history, () => location.href);
  const listen = (event: PopStateEvent) => {
    if (layers.handlePop()) event.stopImmediatePropagation();
  };
  addEventListener('popstate', listen, { capture: true });
  shared = layers;
  return layers;
}

/** While something is open over the page, the Back button closes it, the topmost first. */
export function useBackToClose(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is the news that the router has moved.
  useEffect(() => getBackLayers().noteMove(), [key]);
  useEffect(() => (isOpen ? getBackLayers().open(() => latest.current()) : undefined), [isOpen]);
}

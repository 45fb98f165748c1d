import { useEffect, useState, useSyncExternalStore } from 'react';
import { createGenerationTracker, type GenerationTracker } from './generation-tracker.ts';
import type { Tracking } from './tracking.ts';

export interface TrackedGeneration {
  tracker: GenerationTracker;
  tracking: Tracking | null;
}

/** A tracker that lives with the page and hears of the network and of the tab coming back. */
export function useGenerationTracker(): TrackedGeneration {
  const [tracker] = useState(createGenerationTracker);
  const tracking = useSyncExternalStore(tracker.subscribe, tracker.get);

  useEffect(() => {
    const onOnline = () => tracker.setOnline(true);
    const onOffline = () => tracker.setOnline(false);
    const onReturn = () => {
      if (document.visibilityState === 'visible') tracker.refresh();
    };
    addEventListener('online', onOnline);
    addEventListener('offline', onOffline);
    addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      removeEventListener('online', onOnline);
      removeEventListener('offline', onOffline);
      removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
      tracker.forget();
    };
  }, [tracker]);

  return { tracker, tracking };
}

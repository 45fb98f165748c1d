import { useEffect, useState, useSyncExternalStore } from 'react';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';
import { onNudge } from '#pwa/lib/nudges.ts';
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
    const onConnection = () => tracker.setOnline(hasConnection());
    const stopNudges = onNudge(({ event, id }) => {
      const followed = tracker.get();
      const isMeant = event === 'gap' || (event === 'generation' && id === followed?.generationId);
      if (isMeant && followed && followed.nextPollAt !== null) tracker.checkAgain();
    });
    const onReturn = () => {
      if (document.visibilityState === 'visible') tracker.refresh();
    };
    const stopListening = subscribeConnection(onConnection);
    addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      stopNudges();
      stopListening();
      removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
      tracker.forget();
    };
  }, [tracker]);

  return { tracker, tracking };
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { closeBuyStars, readBuyStarsRequest, subscribeBuyStars } from '#pwa/lib/buy-stars.ts';
import { readSessionMarker } from '#pwa/lib/session-marker.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';
import { BuyStarsDialog } from './buy-stars-dialog.tsx';
import { subscribePurchases } from './purchase-news.ts';
import { useReturnedBuyer } from './use-returned-buyer.ts';

/** The place of the buy-stars dialog, over whatever page is open, and the ear for purchases of other tabs. Mount once. */
export function BuyStarsHost() {
  const request = useSyncExternalStore(subscribeBuyStars, readBuyStarsRequest);
  const { pathname } = useLocation();
  const isSignedIn = useSessionMarker() !== null;
  const isOpen = request !== null && request.pathname === pathname && isSignedIn;
  useEffect(() => {
    // The person has left the page by «Back» or has been signed out.
    if (request && !isOpen) closeBuyStars();
  }, [request, isOpen]);

  useReturnedBuyer();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      subscribePurchases((userId) => {
        // A purchase changes more than the balance: what may be downloaded, and how every picture and video is served.
        if (userId === readSessionMarker()?.userId) void queryClient.invalidateQueries();
      }),
    [queryClient],
  );
  return isOpen ? <BuyStarsDialog missingStars={request.missingStars} onClose={closeBuyStars} /> : null;
}

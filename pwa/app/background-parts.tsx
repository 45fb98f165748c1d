import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { Toaster } from '#pwa/components/toaster.tsx';
import { displayName } from '#pwa/features/account/display-name.ts';
import { SessionWatcher } from '#pwa/features/account/session-watcher.tsx';
import { useUser } from '#pwa/features/account/use-session.ts';
import { CookieBanner } from '#pwa/features/consent/cookie-banner.tsx';
import { InterviewInvitation } from '#pwa/features/interview/interview-invitation.tsx';
import { BuyStarsHost } from '#pwa/features/payments/buy-stars-host.tsx';
import { PATHS } from '#shared/rules/app-paths.ts';

/** What works behind every page without being part of its first picture. */
export function BackgroundParts() {
  const navigate = useNavigate();
  const user = useUser();
  const goToAuth = useCallback(() => void navigate(PATHS.auth, { replace: true }), [navigate]);
  return (
    <>
      <BuyStarsHost />
      <Toaster />
      <CookieBanner />
      <SessionWatcher goToAuth={goToAuth} />
      <InterviewInvitation user={user} name={user ? displayName(user) : ''} />
    </>
  );
}

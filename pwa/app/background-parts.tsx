import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { Toaster } from '#pwa/components/toaster.tsx';
import { ConsentHost } from '#pwa/features/account/consent-host.tsx';
import { SessionWatcher } from '#pwa/features/account/session-watcher.tsx';
import { InstallInvitation } from '#pwa/features/installation/install-invitation.tsx';
import { InterviewInvitation } from '#pwa/features/interview/interview-invitation.tsx';
import { BuyStarsHost } from '#pwa/features/payments/buy-stars-host.tsx';
import { usePasswordDue } from '#pwa/features/session/use-session-marker.ts';
import { buildAuthPath } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { DeviceKeeper } from './device-keeper.tsx';
import { LiveUpdates, RefreshOnReturn } from './live-updates.tsx';
import { ResultNews } from './result-news.tsx';
import { ShareFailureToast } from './share-failure-toast.tsx';
import { UpdateBar } from './update-bar.tsx';
import { UploadSender } from './upload-sender.tsx';

/** Parts that run behind every page and are not needed for its first paint. */
export function BackgroundParts() {
  const navigate = useNavigate();
  const isPasswordDue = usePasswordDue();
  const goToAuth = useCallback(() => {
    const { pathname, search } = location;
    // A guard may have redirected already, with the way back.
    if (pathname !== PATHS.auth) void navigate(buildAuthPath(pathname + search), { replace: true });
  }, [navigate]);
  return (
    <>
      <Toaster />
      <DeviceKeeper />
      <RefreshOnReturn />
      <UpdateBar />
      <ShareFailureToast />
      <SessionWatcher goToAuth={goToAuth} />
      {!isPasswordDue && (
        <>
          <BuyStarsHost />
          <ConsentHost />
          <LiveUpdates />
          <ResultNews />
          <UploadSender />
          <InstallInvitation />
          <InterviewInvitation />
        </>
      )}
    </>
  );
}

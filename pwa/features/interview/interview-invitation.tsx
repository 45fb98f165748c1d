import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { isOccupied, useInterruption } from '#pwa/components/interruptions.ts';
import { displayName } from '#pwa/features/session/display-name.ts';
import { useUser } from '#pwa/features/session/use-session.ts';
import type { User } from '#shared/contract/account.ts';
import { takeInterviewInvitation } from '#shared/contract/interview.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const InterviewDialog = lazy(() => import('./interview-dialog.tsx'));

const INVITE_AFTER_MS = 2 * 60_000;
/** A page opens first what its address asks for, such as the purchase of stars. */
const AFTER_ARRIVAL_MS = 5_000;
/** The pause before another try while a generation runs or it is unknown whether one does. */
const ASK_AGAIN_MS = 15_000;

/**
 * Invites a person to an interview, once, two minutes into a visit, on the first page of the app. Only for confirmed
 * e-mails, and not for administrators or for accounts that will be deleted.
 */
export function InterviewInvitation() {
  const user = useUser();
  const isInvited = user?.isEmailVerified && !user.isAdmin && !user.erasesAt;
  return isInvited ? <Invitation key={user.id} user={user} /> : null;
}

function Invitation({ user }: { user: User }) {
  const [phase, setPhase] = useState<'waiting' | 'wanted' | 'open' | 'over'>(
    wasInvitationShown(user.id) ? 'over' : 'waiting',
  );
  const [waitMs, setWaitMs] = useState(() =>
    Math.max(AFTER_ARRIVAL_MS, readVisitStart(user.id, Date.now()) + INVITE_AFTER_MS - Date.now()),
  );
  // Over a wizard or a fresh result it would disturb.
  const isAtHome = useLocation().pathname === PATHS.app;
  const isTurn = useInterruption('interview', isAtHome && (phase === 'wanted' || phase === 'open'));

  useEffect(() => {
    if (phase !== 'waiting') return;
    const timer = setTimeout(() => setPhase('wanted'), waitMs);
    return () => clearTimeout(timer);
  }, [phase, waitMs]);

  useEffect(() => {
    if (phase !== 'wanted' || !isTurn) return;
    const aborter = new AbortController();
    takeTurn(user.id, aborter.signal)
      .catch(() => 'later' as const)
      .then((outcome) => {
        if (outcome !== 'later') return setPhase((now) => (now === 'open' ? now : outcome));
        if (aborter.signal.aborted) return;
        setWaitMs(ASK_AGAIN_MS);
        setPhase('waiting');
      });
    return () => aborter.abort();
  }, [phase, isTurn, user.id]);

  // Taken while the person was leaving for another page, it waits until they are back.
  if (phase !== 'open' || !isTurn) return null;
  return (
    <Suspense>
      <InterviewDialog name={displayName(user)} email={user.email} onClose={() => setPhase('over')} />
    </Suspense>
  );
}

/** Takes the account's only invitation when nothing is under way. */
async function takeTurn(userId: number, signal: AbortSignal): Promise<'open' | 'over' | 'later'> {
  const { activeGenerations } = await callApi(listActiveGenerations, undefined, { signal });
  // Another tab may have shown it in the meantime.
  if (wasInvitationShown(userId)) return 'over';
  if (activeGenerations.length > 0 || isOccupied()) return 'later';
  // Not aborted with the rest: a call that has arrived has taken the only invitation.
  const { isDue } = await callApi(takeInterviewInvitation);
  markInvitationShown(userId);
  return isDue ? 'open' : 'over';
}

/** In localStorage, because it must survive a sign-out, which removes the account's other data from this device. */
const SHOWN_KEY = 'interviewProposalShown';
const START_KEY = 'podium.sessionStart';

/** Whether this device knows that the person was invited. The server knows it for all devices. */
function wasInvitationShown(userId: number): boolean {
  return [`podium.${SHOWN_KEY}.${userId}`, SHOWN_KEY].some((key) => localStorage.getItem(key) === 'true');
}

function markInvitationShown(userId: number): void {
  localStorage.setItem(`podium.${SHOWN_KEY}.${userId}`, 'true');
}

/** When this person's visit in this tab began. A reload does not restart it. */
function readVisitStart(userId: number, now: number): number {
  const key = `${START_KEY}.${userId}`;
  const stored = Number(sessionStorage.getItem(key));
  if (stored > 0 && stored <= now) return stored;
  sessionStorage.setItem(key, String(now));
  return now;
}

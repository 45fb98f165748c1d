import { lazy, Suspense, useEffect, useState } from 'react';
import { callApi } from '#pwa/lib/api-client.ts';
import { isOccupied, useInterruption } from '#pwa/lib/interruptions.ts';
import type { User } from '#shared/contract/account.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import { markInvitationShown, readVisitStart, wasInvitationShown } from './interview-flag.ts';

const InterviewDialog = lazy(() => import('./interview-dialog.tsx'));

const INVITE_AFTER_MS = 2 * 60_000;
/** While a generation runs, or it is not known whether one does. */
const ASK_AGAIN_MS = 15_000;

export interface InterviewInvitationProps {
  user: User | null;
  /** Prefilled. */
  name: string;
}

/** Invites a person with a confirmed e-mail, who is no administrator, to an interview: two minutes into the visit, once. */
export function InterviewInvitation({ user, name }: InterviewInvitationProps) {
  return user?.isEmailVerified && !user.isAdmin ? <Invitation key={user.id} user={user} name={name} /> : null;
}

function Invitation({ user, name }: { user: User; name: string }) {
  const [phase, setPhase] = useState<'waiting' | 'wanted' | 'open' | 'over'>(
    wasInvitationShown(user.id) ? 'over' : 'waiting',
  );
  const [waitMs, setWaitMs] = useState(() =>
    Math.max(0, readVisitStart(user.id, Date.now()) + INVITE_AFTER_MS - Date.now()),
  );
  const isTurn = useInterruption('interview', phase === 'wanted' || phase === 'open');

  useEffect(() => {
    if (phase !== 'waiting') return;
    const timer = setTimeout(() => setPhase('wanted'), waitMs);
    return () => clearTimeout(timer);
  }, [phase, waitMs]);

  useEffect(() => {
    if (phase !== 'wanted' || !isTurn) return;
    const aborter = new AbortController();
    const settle = (isFree: boolean) => {
      if (aborter.signal.aborted) return;
      // Another tab may have shown it meanwhile.
      if (wasInvitationShown(user.id)) return setPhase('over');
      if (isFree && !isOccupied()) {
        markInvitationShown(user.id);
        return setPhase('open');
      }
      setWaitMs(ASK_AGAIN_MS);
      setPhase('waiting');
    };
    callApi(listActiveGenerations, undefined, { signal: aborter.signal }).then(
      ({ activeGenerations }) => settle(activeGenerations.length === 0),
      () => settle(false),
    );
    return () => aborter.abort();
  }, [phase, isTurn, user.id]);

  if (phase !== 'open') return null;
  return (
    <Suspense>
      <InterviewDialog name={name} email={user.email} onClose={() => setPhase('over')} />
    </Suspense>
  );
}

import { useSession } from '#pwa/features/session/use-session.ts';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { Announcement } from './try-on-page/announcement.tsx';
import { FittingRoom } from './try-on-page/fitting-room.tsx';

/** The tool where an engine of this installation can make it, and its announcement elsewhere. */
export default function TryOnPage() {
  const session = useSession();
  const isOffered = useOffered().includes('try_on');
  if (!isOffered) return <Announcement />;
  return session.status === 'signed_in' ? (
    <FittingRoom key={session.userId} userId={session.userId} isEmailVerified={session.user?.isEmailVerified ?? true} />
  ) : null;
}

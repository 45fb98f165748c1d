import { useOffered } from '#pwa/features/tools/tools.ts';
import { ForSignedIn } from './tool-page-parts.tsx';
import { Announcement } from './try-on-page/announcement.tsx';
import { FittingRoom } from './try-on-page/fitting-room.tsx';

/** The tool where an engine of this installation can make it, and its announcement elsewhere. */
export default function TryOnPage() {
  return useOffered().includes('try_on') ? <ForSignedIn page={FittingRoom} /> : <Announcement />;
}

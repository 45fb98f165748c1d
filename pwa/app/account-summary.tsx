import { Settings } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { initials } from '#pwa/features/session/display-name.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const GUEST = 'Гость';

/**
 * Initials, name and balance of the signed-in person, at the top of the sidebar. Shows a placeholder for what is not
 * known yet.
 */
export function AccountSummary({
  isCollapsed = false,
  onNavigate,
}: {
  isCollapsed?: boolean;
  onNavigate?: () => void;
}) {
  const session = useSession();
  const { balance, isFailed } = useStarBalance();
  const name =
    session.status === 'signed_in' ? session.name || GUEST : session.status === 'loading' ? session.name : null;
  const shortName = (session.status === 'signed_in' && session.user?.username) || name;
  const avatar = (
    <span
      className="grid place-items-center size-10 flex-none rounded-full bg-ink text-canvas text-sm font-semibold"
      aria-hidden="true"
    >
      {shortName && initials(shortName)}
    </span>
  );
  if (isCollapsed) {
    return (
      <div className="grid justify-items-center gap-1 mb-3">
        <Link
          to={PATHS.settings}
          aria-label={name ? `${name}: настройки` : 'Настройки'}
          className="rounded-full no-underline grid size-11 place-items-center"
        >
          {avatar}
        </Link>
        {balance !== undefined && <StarCount count={balance} className="text-xs text-star font-semibold !gap-1" />}
      </div>
    );
  }
  return (
    <div className="flex items-center gap-3 pl-3 pb-4">
      {avatar}
      <div className="min-w-0">
        <div className="text-sm font-semibold truncate">{name ?? <Skeleton className="h-4 w-24" />}</div>
        <div className="text-xs text-muted min-h-[18px]">
          {balance !== undefined && <StarCount count={balance} withWord />}
          {balance === undefined && (isFailed ? 'Баланс неизвестен' : <Skeleton className="mt-1 h-3 w-16" />)}
        </div>
      </div>
      <Link
        to={PATHS.settings}
        onClick={onNavigate}
        className="ibtn ml-auto flex-none text-muted"
        aria-label="Настройки"
      >
        <Settings className="ic ic-s" />
      </Link>
    </div>
  );
}

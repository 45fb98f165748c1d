import { Settings } from 'lucide-react';
import { Link } from 'react-router-dom';
import { StarCount } from '#pwa/components/star-count.tsx';
import { initials } from '#pwa/features/account/display-name.ts';
import { useSession } from '#pwa/features/account/use-session.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const GUEST = 'Гость';

/** Initials, name and balance of whoever is signed in, at the top of the sidebar. */
export function AccountSummary({
  isCollapsed = false,
  onNavigate,
}: {
  isCollapsed?: boolean;
  onNavigate?: () => void;
}) {
  const session = useSession();
  const { balance, isLoading, isFailed } = useStarBalance();
  const name = session.status === 'signed_in' ? session.name : GUEST;
  const letters = session.status === 'signed_in' ? initials(session.user?.username || session.name) : initials(GUEST);
  const avatar = (
    <span
      className="grid place-items-center size-10 flex-none rounded-full bg-ink text-canvas text-sm font-semibold"
      aria-hidden="true"
    >
      {letters}
    </span>
  );
  if (isCollapsed) {
    return (
      <div className="grid justify-items-center gap-1 mb-3">
        <Link
          to={PATHS.settings}
          aria-label={`${name}: настройки`}
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
        <div className="text-sm font-semibold truncate">{name}</div>
        <div className="text-xs text-muted min-h-[18px]">
          {isFailed && balance === undefined
            ? 'Баланс неизвестен'
            : !isLoading && <StarCount count={balance ?? 0} withWord />}
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

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { BUY_STARS } from '#pwa/messages.ts';
import { AccountSummary } from './account-summary.tsx';
import { SidebarItems } from './sidebar-items.tsx';

/** The sidebar from 1024 px up: 240 px wide, or 80 px with icons only. */
export function Sidebar({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle: () => void }) {
  const label = isCollapsed ? 'Развернуть' : 'Свернуть';
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside className={`side ${isCollapsed ? 'min items-center' : ''}`} aria-label="Разделы">
      <AccountSummary isCollapsed={isCollapsed} />
      <nav className={`grid gap-0.5 ${isCollapsed ? 'justify-items-center' : ''}`} aria-label="Инструменты">
        <SidebarItems isCollapsed={isCollapsed} />
      </nav>
      <span className="flex-1" />
      <BuyStarsButton
        source="sidebar"
        variant="second"
        size="sm"
        wide={!isCollapsed}
        className={isCollapsed ? '!w-12 !p-0' : ''}
        aria-label={isCollapsed ? BUY_STARS : undefined}
        title={isCollapsed ? BUY_STARS : undefined}
      >
        <StarIcon />
        {!isCollapsed && BUY_STARS}
      </BuyStarsButton>
      <button
        type="button"
        className={`it mt-1 ${isCollapsed ? '!w-12 !px-0 justify-center' : 'w-full'}`}
        onClick={onToggle}
        aria-label={label}
        aria-expanded={!isCollapsed}
      >
        <Icon className="ic" />
        {!isCollapsed && label}
      </button>
    </aside>
  );
}

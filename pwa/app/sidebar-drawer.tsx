import { BookOpen, MessageCircle, PanelLeftClose } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { NavLink } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { ModalPanel } from '#pwa/components/modal-panel.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { openBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { BUY_STARS, HELP_LABEL } from '#pwa/messages.ts';
import { HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';
import { AccountSummary } from './account-summary.tsx';
import { SidebarItems } from './sidebar-items.tsx';

export interface SidebarDrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * The sidebar as a drawer below 1024 px, at most 304 px wide. Apart from the layout, because its code is loaded when it
 * is first opened.
 */
export default function SidebarDrawer({ open, onOpenChange }: SidebarDrawerProps) {
  return (
    <ModalPanel open={open} onOpenChange={onOpenChange} place="left" className="sheet-left">
      <RadixDialog.Title className="sr-only">Меню</RadixDialog.Title>
      <Content onClose={() => onOpenChange(false)} />
    </ModalPanel>
  );
}

/** With the links that have no room in the header there. */
function Content({ onClose }: { onClose: () => void }) {
  return (
    <div className="side in-drawer">
      <AccountSummary onNavigate={onClose} />
      <nav className="grid gap-0.5" aria-label="Инструменты">
        <SidebarItems onNavigate={onClose} />
      </nav>
      <span className="flex-1 min-h-4" />
      <Button
        variant="second"
        size="sm"
        wide
        icon={<StarIcon />}
        onClick={() => {
          onClose();
          openBuyStars({ source: 'sidebar' });
        }}
      >
        {BUY_STARS}
      </Button>
      <button type="button" className="it w-full mt-1" onClick={onClose}>
        <PanelLeftClose className="ic" />
        Закрыть меню
      </button>
      <NavLink
        to={PATHS.cases}
        className="it"
        onClick={() => {
          recordServerEvent({ event_name: 'cases_link_clicked' });
          onClose();
        }}
      >
        <BookOpen className="ic" />
        Кейсы
      </NavLink>
      <a className="it" href={HELP_PATH} target="_blank" rel="noopener">
        <MessageCircle className="ic" />
        {HELP_LABEL}
      </a>
    </div>
  );
}

import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';

export interface DisclosureRowProps {
  /** The hash of the address that opens the row. */
  id: string;
  title: string;
  /** One line about what is inside; more is cut off. */
  summary: ReactNode;
  children: ReactNode;
}

/**
 * A row that opens and closes. Several may be open; the address names the one that was opened last, so a link and a
 * reload open it. Its content is there while it is closed, so the browser's search finds it.
 */
export function DisclosureRow({ id, title, summary, children }: DisclosureRowProps) {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  const isNamed = hash === `#${id}`;
  const [isOpen, setIsOpen] = useState(isNamed);
  useEffect(() => {
    if (isNamed) setIsOpen(true);
  }, [isNamed]);
  const follow = (isNowOpen: boolean) => {
    // The event also follows what this component itself has changed.
    if (isNowOpen === isOpen) return;
    setIsOpen(isNowOpen);
    if (!isNowOpen && !isNamed) return;
    void navigate(
      { search, hash: isNowOpen ? id : '' },
      { replace: true, state: { ...(state as object | null), ...KEEP_SCROLL } },
    );
  };
  return (
    <section id={id}>
      <details className="group" open={isOpen} onToggle={({ currentTarget }) => follow(currentTarget.open)}>
        <summary className="flex items-center gap-3 min-h-16 px-4 md:px-5 py-2 cursor-pointer list-none [&::-webkit-details-marker]:hidden rounded-control focus-visible:-outline-offset-2">
          <span className="flex-1 min-w-0">
            <h3 className="sec">{title}</h3>
            <span className="block text-sm text-muted truncate group-open:sr-only">{summary}</span>
          </span>
          <ChevronDown className="ic transition-transform group-open:rotate-180" />
        </summary>
        <div className="px-4 md:px-5 pb-5">{children}</div>
      </details>
    </section>
  );
}

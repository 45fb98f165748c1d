import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { useHeightProperty } from '#pwa/device/use-height-property.ts';
import { nb } from '#pwa/format.ts';
import { type Consent, cookieConsent } from './consent.ts';
import { saveConsent } from './consent-storage.ts';
import { CookiePolicy } from './cookie-policy.tsx';

const DELAY_MS = 1000;
/** In sessionStorage: closing the banner is not a choice, so the next visit asks again. */
const CLOSED_KEY = 'podium.cookieBannerClosed';

/** A CSS property with the banner's height, which keeps bars at the bottom of the window above it. */
const HEIGHT_PROPERTY = '--cookie-h';

/** Asks about cookies one second after the page is shown, unless a choice is stored or the banner was closed. */
export function CookieBanner() {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (cookieConsent.get() !== null || sessionStorage.getItem(CLOSED_KEY) !== null) return;
    const timer = setTimeout(() => setIsShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const banner = useRef<HTMLElement>(null);
  useHeightProperty(banner, HEIGHT_PROPERTY, isShown, uncoverFocus);
  if (!isShown) return null;

  const choose = (choice: Consent) => {
    saveConsent(choice);
    setIsShown(false);
  };
  const close = () => {
    sessionStorage.setItem(CLOSED_KEY, '1');
    setIsShown(false);
  };
  return (
    <section ref={banner} className="cookie panel" aria-label="Файлы cookie">
      <p className="flex-1 min-w-[230px] max-md:pr-8 text-muted">
        {nb('Мы используем cookie. ')}
        <CookiePolicy />
      </p>
      <div className="flex gap-2 max-md:w-full">
        <Button variant="second" size="sm" className="flex-1" onClick={() => choose('declined')}>
          Отклонить
        </Button>
        <Button variant="second" size="sm" className="flex-1" onClick={() => choose('accepted')}>
          Принять
        </Button>
      </div>
      <IconButton label="Закрыть" className="max-md:absolute right-1 top-1" onClick={close}>
        <X className="ic ic-s" />
      </IconButton>
    </section>
  );
}

/**
 * Scrolls the focused element clear of this bar and of those above it, like a tool's action. The browser does this only
 * when the focus moves.
 */
function uncoverFocus(bar: Element): void {
  const focused = document.activeElement;
  if (!focused || focused === document.body || bar.contains(focused)) return;
  const { top, bottom } = focused.getBoundingClientRect();
  // Not if the person has scrolled away.
  if (bottom > 0 && top < innerHeight) focused.scrollIntoView({ block: 'nearest' });
}

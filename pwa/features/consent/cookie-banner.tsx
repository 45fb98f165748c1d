import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { type Consent, getConsent } from '#pwa/lib/consent.ts';
import { saveConsent } from '#pwa/lib/consent-storage.ts';
import { nb } from '#pwa/lib/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const DELAY_MS = 1000;
/** In sessionStorage: closing is no choice, so the next visit asks again. */
const CLOSED_KEY = 'podium.cookieBannerClosed';

/** Of the document: bars at the bottom of the window stand clear of the banner by it. */
const HEIGHT_PROPERTY = '--cookie-h';

const CHOICES: Record<Consent, string> = { accepted: 'Сейчас cookie приняты. ', declined: 'Сейчас cookie отклонены. ' };

/**
 * Asks about cookies: a second after the page has come, unless a choice is stored or the question was closed; or at once,
 * with the focus and the choice that holds, where somebody has pressed for it.
 */
export function CookieBanner({ isAskedFor }: { isAskedFor: boolean }) {
  const [isShown, setIsShown] = useState(isAskedFor);
  const consent = getConsent();
  useEffect(() => {
    if (isAskedFor || getConsent() !== null || sessionStorage.getItem(CLOSED_KEY) !== null) return;
    const timer = setTimeout(() => setIsShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isAskedFor]);
  const banner = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (!isAskedFor) return;
    opener.current = document.activeElement;
    banner.current?.focus();
  }, [isAskedFor]);
  useEffect(() => {
    if (!isShown || !banner.current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      style.setProperty(HEIGHT_PROPERTY, `${Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`);
    });
    observer.observe(banner.current);
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT_PROPERTY);
    };
  }, [isShown]);
  if (!isShown) return null;

  const hide = () => {
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    setIsShown(false);
  };
  const choose = (choice: Consent) => {
    saveConsent(choice);
    hide();
  };
  const close = () => {
    sessionStorage.setItem(CLOSED_KEY, '1');
    hide();
  };
  return (
    <section ref={banner} tabIndex={-1} className="cookie panel" aria-label="Файлы cookie">
      <p className="flex-1 min-w-[230px] max-md:pr-8 text-muted">
        {nb(`Мы используем cookie. ${consent ? CHOICES[consent] : ''}Подробнее в `)}
        <a className="link text-ink" href={PATHS.privacyPolicy} target="_blank" rel="noopener">
          {nb('политике конфиденциальности')}
        </a>
        .
      </p>
      <div className="flex gap-2 max-md:w-full">
        <Button variant="second" size="sm" className="flex-1" onClick={() => choose('declined')}>
          Отклонить
        </Button>
        <Button size="sm" className="flex-1" onClick={() => choose('accepted')}>
          Принять
        </Button>
      </div>
      <IconButton label="Закрыть" className="max-md:absolute right-1 top-1" onClick={close}>
        <X className="ic ic-s" />
      </IconButton>
    </section>
  );
}

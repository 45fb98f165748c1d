import { askForConsentAgain } from '#pwa/lib/consent.ts';
import { nb } from '#pwa/lib/format.ts';

/** Shows the cookie question again. */
export function CookieSettingsButton({ className }: { className: string }) {
  return (
    <button type="button" className={`script-only ${className}`} onClick={askForConsentAgain}>
      {nb('Настройки cookie')}
    </button>
  );
}

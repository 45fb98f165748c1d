import { nb } from '#pwa/format.ts';
import { askForConsentAgain } from './consent.ts';

/** Shows the cookie question again. */
export function CookieSettingsButton({ className }: { className: string }) {
  return (
    <button type="button" className={`script-only ${className}`} onClick={askForConsentAgain}>
      {nb('Настройки cookie')}
    </button>
  );
}

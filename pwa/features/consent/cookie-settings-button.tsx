import { nb } from '#pwa/format.ts';
import { cookieRequests } from './consent.ts';

/** Shows the cookie question again. */
export function CookieSettingsButton({ className }: { className: string }) {
  return (
    <button
      type="button"
      className={`script-only ${className}`}
      onClick={() => cookieRequests.set(cookieRequests.get() + 1)}
    >
      {nb('Настройки cookie')}
    </button>
  );
}

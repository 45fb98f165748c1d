import { Link } from 'react-router-dom';
import { BrandMark } from '#pwa/components/brand-mark.tsx';
import { CookieSettingsButton } from '#pwa/features/consent/cookie-settings-button.tsx';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const LINKS = [
  { to: PATHS.privacyPolicy, label: 'Политика конфиденциальности' },
  { to: PATHS.termsOfService, label: 'Пользовательское соглашение' },
  { to: PATHS.paymentPolicy, label: 'Оплата и\u00a0возврат' },
  { to: PATHS.contacts, label: 'Контакты' },
  { to: PATHS.companyInfo, label: 'О\u00a0компании' },
  // The header has no room for it on narrow phones and in the app.
  { to: PATHS.cases, label: 'Кейсы' },
];

const countCasesClick = () => recordServerEvent({ event_name: 'cases_link_clicked' });

/** The footer of public pages, and of the app's home and settings. */
export function Footer({ className = '' }: { className?: string }) {
  return (
    <footer
      className={`py-10 border-t border-line flex flex-wrap gap-x-7 gap-y-1 items-center text-sm text-muted ${className}`}
    >
      <span className="logo !text-ink mr-4 max-md:w-full max-md:mb-3">
        <BrandMark />
        Подиум
      </span>
      {LINKS.map(({ to, label }) => (
        <Link
          key={to}
          className="py-3 hover:text-ink"
          to={to}
          onClick={to === PATHS.cases ? countCasesClick : undefined}
        >
          {label}
        </Link>
      ))}
      <CookieSettingsButton className="py-3 hover:text-ink" />
      <span className="md:ml-auto max-md:w-full max-md:mt-3 num">© {new Date().getFullYear()} «Подиум»</span>
    </footer>
  );
}

/** Every address of the application. */
export const PATHS = {
  landing: '/',
  cases: '/cases',
  auth: '/auth',
  passwordReset: '/auth/reset',
  verifyEmail: '/verify-email',
  app: '/app',
  createVideo: '/dashboard/create-video',
  changeModel: '/dashboard/change-model',
  photoshoot: '/dashboard/photoshoot',
  tryOn: '/dashboard/try-on',
  gallery: '/dashboard/gallery',
  analytics: '/dashboard/analytics',
  settings: '/settings',
  stars: '/stars',
  paymentSuccess: '/payment/success',
  paymentFail: '/payment/fail',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  legal: '/legal',
  paymentPolicy: '/payment-policy',
  companyInfo: '/company-info',
  contacts: '/contacts',
  personalDataConsent: '/personal-data-consent',
  photoGuidelines: '/info/photo-guidelines',
  botPolicy: '/info/policy-bot',
} as const;
export type Path = (typeof PATHS)[keyof typeof PATHS];

const OPEN_BUY_STARS = 'openBuyStars';

/** Opens the buy-stars dialog from anywhere: features do not import each other. */
export const BUY_STARS_PATH = `${PATHS.app}?${OPEN_BUY_STARS}=true`;

export function hasBuyStarsQuery(search: string): boolean {
  return new URLSearchParams(search).get(OPEN_BUY_STARS) === 'true';
}

/** The same query without the request to open the dialog. */
export function withoutBuyStarsQuery(search: string): string {
  const query = new URLSearchParams(search);
  query.delete(OPEN_BUY_STARS);
  return query.size > 0 ? `?${query}` : '';
}

/** A sign-in address that brings the person back to where they were going. */
export function buildAuthPath(next: string): string {
  return `${PATHS.auth}?${new URLSearchParams({ next })}`;
}

/** Where to go after sign-in: a path of this site only, never the sign-in pages themselves; null if there is none. */
export function readNextPath(search: string): string | null {
  const next = new URLSearchParams(search).get('next');
  // A backslash and a control character are read as a slash or dropped by browsers: //evil.example in disguise.
  if (!next || !/^\/(?![/\\])/.test(next) || /[\\\p{Cc}]/u.test(next)) return null;
  const url = new URL(next, 'https://same-origin.invalid');
  // «/app/..//evil.example» becomes «//evil.example» only when it is resolved.
  if (url.origin !== 'https://same-origin.invalid' || url.pathname.startsWith('//')) return null;
  if (url.pathname === PATHS.landing || url.pathname.startsWith(PATHS.auth) || url.pathname === PATHS.verifyEmail) {
    return null;
  }
  return url.pathname + url.search + url.hash;
}

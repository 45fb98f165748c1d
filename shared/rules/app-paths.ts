/** Every page of the application; the server answers these with 200 and any other with the same document and 404. */
export const APP_PATHS = [
  '/',
  '/cases',
  '/auth',
  '/auth/reset',
  '/verify-email',
  '/app',
  '/dashboard/create-video',
  '/dashboard/gallery',
  '/dashboard/change-model',
  '/dashboard/try-on',
  '/dashboard/photoshoot',
  '/dashboard/analytics',
  '/settings',
  '/stars',
  '/payment/success',
  '/payment/fail',
  '/info/photo-guidelines',
  '/info/policy-bot',
  '/privacy-policy',
  '/terms-of-service',
  '/payment-policy',
  '/personal-data-consent',
  '/company-info',
  '/contacts',
] as const;

/** Addresses that documents and mails mention, and the page that answers there. */
export const APP_REDIRECTS = { '/legal': '/terms-of-service', '/dashboard': '/app' } as const;

/**
 * Every page of the application. The server answers these with 200, and any other path with 404 and the not-found page.
 */
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
  batches: '/dashboard/batches',
  products: '/dashboard/products',
  gallery: '/dashboard/gallery',
  deleted: '/dashboard/gallery/deleted',
  analytics: '/dashboard/analytics',
  settings: '/settings',
  stars: '/stars',
  /** Where the mail about a linked chat leads. */
  chatAccess: '/chat-access',
  paymentSuccess: '/payment/success',
  paymentFail: '/payment/fail',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  paymentPolicy: '/payment-policy',
  companyInfo: '/company-info',
  contacts: '/contacts',
  personalDataConsent: '/personal-data-consent',
  photoTransferConsent: '/photo-transfer-consent',
  photoGuidelines: '/info/photo-guidelines',
  botPolicy: '/info/policy-bot',
} as const;
export type Path = (typeof PATHS)[keyof typeof PATHS];
/** What a list in a page is searched for. Named without words, it puts the focus in the search field. */
export const SEARCH_PARAMETER = 'search';
/** Not a page. The server redirects it to the operator's help. */
export const HELP_PATH = '/help';

export const APP_PATHS: readonly Path[] = Object.values(PATHS);

/** Addresses in documents and mails, and the pages that they redirect to. */
export const APP_REDIRECTS = { '/legal': PATHS.termsOfService, '/dashboard': PATHS.app } as const;

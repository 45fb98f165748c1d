import { PATHS } from '#shared/rules/app-paths.ts';

/** Every page that somebody without an account may open. */
export const FOR_VISITORS = [
  PATHS.landing,
  PATHS.auth,
  `${PATHS.auth}?tab=register`,
  PATHS.passwordReset,
  PATHS.chatAccess,
  PATHS.cases,
  PATHS.privacyPolicy,
  PATHS.termsOfService,
  PATHS.paymentPolicy,
  PATHS.companyInfo,
  PATHS.contacts,
  PATHS.personalDataConsent,
  PATHS.photoTransferConsent,
  PATHS.photoGuidelines,
  PATHS.botPolicy,
  PATHS.paymentSuccess,
  PATHS.paymentFail,
  '/nothing',
];

/** Every page of somebody signed in, who is an administrator. */
export const FOR_THE_SIGNED_IN = [
  PATHS.app,
  PATHS.createVideo,
  PATHS.changeModel,
  PATHS.photoshoot,
  PATHS.tryOn,
  PATHS.batches,
  PATHS.products,
  PATHS.gallery,
  PATHS.deleted,
  PATHS.analytics,
  `${PATHS.analytics}?tab=engines`,
  PATHS.settings,
  PATHS.stars,
  PATHS.cases,
  PATHS.paymentSuccess,
  PATHS.paymentFail,
  `${PATHS.app}?openBuyStars=true`,
];

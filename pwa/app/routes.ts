import type { ComponentType } from 'react';
import type { PageTitle } from '#pwa/device/page-title.ts';
import { RECENTLY_DELETED, STAR_HISTORY } from '#pwa/messages.ts';
import { PATHS, type Path } from '#shared/rules/app-paths.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';
import type { RouteAccess } from './route-access.ts';

export interface PageRoute {
  path: Path;
  access: RouteAccess;
  /** site: header and footer. app: header, sidebar and tab bar. */
  layout: 'site' | 'app';
  /** The title of the tab and of the page view. */
  title: PageTitle;
  load: () => Promise<{ default: ComponentType }>;
}

/** The title of the fallback page for unknown addresses. */
export const NOT_FOUND_TITLE = '404';

/** Every page of the application except the fallback. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: PATHS.landing,
    access: 'landing',
    layout: 'site',
    title: 'Видео с показа из фото товара',
    load: () => import('#pwa/pages/landing-page.tsx'),
  },
  {
    path: PATHS.auth,
    access: 'sign_in',
    layout: 'site',
    title: 'Вход и регистрация',
    load: () => import('#pwa/pages/auth-page.tsx'),
  },
  {
    path: PATHS.passwordReset,
    access: 'public',
    layout: 'site',
    title: 'Восстановление пароля',
    load: () => import('#pwa/pages/password-reset-page.tsx'),
  },
  {
    path: PATHS.chatAccess,
    access: 'public',
    layout: 'site',
    title: 'Доступ чата к аккаунту',
    load: () => import('#pwa/pages/chat-access-page.tsx'),
  },
  {
    path: PATHS.verifyEmail,
    access: 'unverified',
    layout: 'site',
    title: 'Подтверждение email',
    load: () => import('#pwa/pages/verify-email-page.tsx'),
  },
  {
    path: PATHS.app,
    access: 'signed_in',
    layout: 'app',
    title: 'Главная',
    load: () => import('#pwa/pages/app-page.tsx'),
  },
  {
    path: PATHS.createVideo,
    access: 'signed_in',
    layout: 'app',
    title: 'Создать видео',
    load: () => import('#pwa/pages/create-video-page.tsx'),
  },
  {
    path: PATHS.changeModel,
    access: 'signed_in',
    layout: 'app',
    title: CHANGE_NAMES,
    load: () => import('#pwa/pages/change-model-page.tsx'),
  },
  {
    path: PATHS.photoshoot,
    access: 'signed_in',
    layout: 'app',
    title: 'Фотосессия по одному фото',
    load: () => import('#pwa/pages/photoshoot-page.tsx'),
  },
  {
    path: PATHS.tryOn,
    access: 'signed_in',
    layout: 'app',
    title: 'Виртуальная примерка',
    load: () => import('#pwa/pages/try-on-page.tsx'),
  },
  {
    path: PATHS.gallery,
    access: 'signed_in',
    layout: 'app',
    title: 'Галерея',
    load: () => import('#pwa/pages/gallery-page.tsx'),
  },
  {
    path: PATHS.deleted,
    access: 'signed_in',
    layout: 'app',
    title: RECENTLY_DELETED,
    load: () => import('#pwa/pages/deleted-page.tsx'),
  },
  {
    path: PATHS.analytics,
    access: 'signed_in',
    layout: 'app',
    title: 'Аналитика',
    load: () => import('#pwa/pages/analytics-page.tsx'),
  },
  {
    path: PATHS.settings,
    access: 'signed_in',
    layout: 'app',
    title: 'Настройки',
    load: () => import('#pwa/pages/settings-page.tsx'),
  },
  {
    path: PATHS.stars,
    access: 'signed_in',
    layout: 'app',
    title: STAR_HISTORY,
    load: () => import('#pwa/pages/stars-page.tsx'),
  },
  {
    path: PATHS.paymentSuccess,
    access: 'public',
    layout: 'site',
    title: 'Оплата',
    load: () => import('#pwa/pages/payment-success-page.tsx'),
  },
  {
    path: PATHS.paymentFail,
    access: 'public',
    layout: 'site',
    title: 'Оплата не прошла',
    load: () => import('#pwa/pages/payment-fail-page.tsx'),
  },
  {
    path: PATHS.cases,
    access: 'public',
    layout: 'site',
    title: 'Кейсы',
    load: () => import('#pwa/pages/cases-page.tsx'),
  },
  {
    path: PATHS.privacyPolicy,
    access: 'public',
    layout: 'site',
    title: 'Политика конфиденциальности',
    load: () => import('#pwa/pages/privacy-policy-page.tsx'),
  },
  {
    path: PATHS.termsOfService,
    access: 'public',
    layout: 'site',
    title: 'Пользовательское соглашение',
    load: () => import('#pwa/pages/terms-of-service-page.tsx'),
  },
  {
    path: PATHS.paymentPolicy,
    access: 'public',
    layout: 'site',
    title: 'Оплата и возврат',
    load: () => import('#pwa/pages/payment-policy-page.tsx'),
  },
  {
    path: PATHS.companyInfo,
    access: 'public',
    layout: 'site',
    title: 'О компании',
    load: () => import('#pwa/pages/company-info-page.tsx'),
  },
  {
    path: PATHS.contacts,
    access: 'public',
    layout: 'site',
    title: 'Контакты',
    load: () => import('#pwa/pages/contacts-page.tsx'),
  },
  {
    path: PATHS.personalDataConsent,
    access: 'public',
    layout: 'site',
    title: 'Согласие на обработку персональных данных',
    load: () => import('#pwa/pages/personal-data-consent-page.tsx'),
  },
  {
    path: PATHS.photoTransferConsent,
    access: 'public',
    layout: 'site',
    title: 'Согласие на передачу фото за границу',
    load: () => import('#pwa/pages/photo-transfer-consent-page.tsx'),
  },
  {
    path: PATHS.photoGuidelines,
    access: 'public',
    layout: 'site',
    title: 'Требования к фото',
    load: () => import('#pwa/pages/photo-guidelines-page.tsx'),
  },
  {
    path: PATHS.botPolicy,
    access: 'public',
    layout: 'site',
    title: 'Условия бота',
    load: () => import('#pwa/pages/bot-policy-page.tsx'),
  },
];

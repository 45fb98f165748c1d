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

type Load = PageRoute['load'];

function site(path: Path, title: PageTitle, load: Load, access: RouteAccess = 'public'): PageRoute {
  return { path, access, layout: 'site', title, load };
}

function app(path: Path, title: PageTitle, load: Load): PageRoute {
  return { path, access: 'signed_in', layout: 'app', title, load };
}

/** Every page of the application except the fallback. */
export const ROUTES: readonly PageRoute[] = [
  site(PATHS.landing, 'Видео с показа из фото товара', () => import('#pwa/pages/landing-page.tsx'), 'landing'),
  site(PATHS.auth, 'Вход и регистрация', () => import('#pwa/pages/auth-page.tsx'), 'sign_in'),
  site(PATHS.passwordReset, 'Восстановление пароля', () => import('#pwa/pages/password-reset-page.tsx')),
  site(PATHS.chatAccess, 'Доступ чата к аккаунту', () => import('#pwa/pages/chat-access-page.tsx')),
  site(PATHS.verifyEmail, 'Подтверждение email', () => import('#pwa/pages/verify-email-page.tsx'), 'unverified'),
  app(PATHS.app, 'Главная', () => import('#pwa/pages/app-page.tsx')),
  app(PATHS.createVideo, 'Создать видео', () => import('#pwa/pages/create-video-page.tsx')),
  app(PATHS.changeModel, CHANGE_NAMES, () => import('#pwa/pages/change-model-page.tsx')),
  app(PATHS.photoshoot, 'Фотосессия по одному фото', () => import('#pwa/pages/photoshoot-page.tsx')),
  app(PATHS.tryOn, 'Виртуальная примерка', () => import('#pwa/pages/try-on-page.tsx')),
  app(PATHS.batches, 'Партии', () => import('#pwa/pages/batches-page.tsx')),
  app(PATHS.products, 'Товары', () => import('#pwa/pages/products-page.tsx')),
  app(PATHS.gallery, 'Галерея', () => import('#pwa/pages/gallery-page.tsx')),
  app(PATHS.deleted, RECENTLY_DELETED, () => import('#pwa/pages/deleted-page.tsx')),
  app(PATHS.analytics, 'Аналитика', () => import('#pwa/pages/analytics-page.tsx')),
  app(PATHS.settings, 'Настройки', () => import('#pwa/pages/settings-page.tsx')),
  app(PATHS.stars, STAR_HISTORY, () => import('#pwa/pages/stars-page.tsx')),
  site(PATHS.paymentSuccess, 'Оплата', () => import('#pwa/pages/payment-success-page.tsx')),
  site(PATHS.paymentFail, 'Оплата не прошла', () => import('#pwa/pages/payment-fail-page.tsx')),
  site(PATHS.cases, 'Кейсы', () => import('#pwa/pages/cases-page.tsx')),
  site(PATHS.privacyPolicy, 'Политика конфиденциальности', () => import('#pwa/pages/privacy-policy-page.tsx')),
  site(PATHS.termsOfService, 'Пользовательское соглашение', () => import('#pwa/pages/terms-of-service-page.tsx')),
  site(PATHS.paymentPolicy, 'Оплата и возврат', () => import('#pwa/pages/payment-policy-page.tsx')),
  site(PATHS.companyInfo, 'О компании', () => import('#pwa/pages/company-info-page.tsx')),
  site(PATHS.contacts, 'Контакты', () => import('#pwa/pages/contacts-page.tsx')),
  site(
    PATHS.personalDataConsent,
    'Согласие на обработку персональных данных',
    () => import('#pwa/pages/personal-data-consent-page.tsx'),
  ),
  site(
    PATHS.photoTransferConsent,
    'Согласие на передачу фото за границу',
    () => import('#pwa/pages/photo-transfer-consent-page.tsx'),
  ),
  site(PATHS.photoGuidelines, 'Требования к фото', () => import('#pwa/pages/photo-guidelines-page.tsx')),
  site(PATHS.botPolicy, 'Условия бота', () => import('#pwa/pages/bot-policy-page.tsx')),
];

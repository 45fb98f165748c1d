import { PATHS, type Path } from '#shared/rules/app-paths.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';

/**
 * One or two sentences about each public page, for search engines and link previews. A page without a description is
 * not prerendered and not listed for search engines.
 */
export const PAGE_DESCRIPTIONS: { readonly [path in Path]?: string | Record<Change, string> } = {
  [PATHS.landing]: {
    model_change: describeLanding('новую модель'),
    background_change: describeLanding('новый фон'),
  },
  [PATHS.auth]: 'Войдите в\u00a0«Подиум» или зарегистрируйтесь: две звезды в\u00a0подарок на\u00a0первые генерации.',
  [PATHS.cases]:
    'Примеры работы «Подиума»: карточки товаров до\u00a0и\u00a0после, показатели в\u00a0таблицах и\u00a0изменения, посчитанные по\u00a0ним.',
  [PATHS.privacyPolicy]:
    'Какие персональные данные обрабатывает «Подиум», зачем и\u00a0как долго, кому они передаются и\u00a0как их удалить.',
  [PATHS.termsOfService]:
    'Пользовательское соглашение и\u00a0публичная оферта сервиса «Подиум»: права, обязанности, запреты и\u00a0порядок расторжения.',
  [PATHS.paymentPolicy]: 'Как оплатить звёзды «Подиума», когда они зачисляются и\u00a0как вернуть деньги.',
  [PATHS.companyInfo]:
    'Кто оказывает услуги «Подиума»: индивидуальный предприниматель, ОГРНИП, ИНН и\u00a0адрес поддержки.',
  [PATHS.contacts]: 'Как связаться с\u00a0«Подиумом»: электронная почта и\u00a0мессенджер поддержки.',
  [PATHS.personalDataConsent]:
    'Текст согласия на\u00a0обработку персональных данных, которое даётся при регистрации в\u00a0«Подиуме».',
  [PATHS.photoTransferConsent]:
    'Текст согласия на\u00a0передачу фото за\u00a0границу, которое «Подиум» спрашивает перед первым запуском такого инструмента.',
  [PATHS.photoGuidelines]:
    'Какие фото одежды и\u00a0обуви подходят для видео и\u00a0фотосессий «Подиума»: хорошие и\u00a0плохие примеры, форматы и\u00a0размеры.',
  [PATHS.botPolicy]:
    'Условия использования Telegram-бота «Подиума»: возраст, запрещённое содержание и\u00a0коммерческое использование.',
};

function describeLanding(change: string): string {
  return `Загрузите фото вещи и\u00a0получите видео с\u00a0показа, ${change} или фотосессию из\u00a0пяти кадров для карточки товара. 2\u00a0звезды в\u00a0подарок.`;
}

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, test } from 'vitest';
import { operatorQuery } from '#pwa/features/documents/operator-gate.tsx';
import BotPolicyPage from '#pwa/pages/bot-policy-page.tsx';
import CompanyInfoPage from '#pwa/pages/company-info-page.tsx';
import ContactsPage from '#pwa/pages/contacts-page.tsx';
import PaymentPolicyPage from '#pwa/pages/payment-policy-page.tsx';
import PersonalDataConsentPage from '#pwa/pages/personal-data-consent-page.tsx';
import PhotoTransferConsentPage from '#pwa/pages/photo-transfer-consent-page.tsx';
import PrivacyPolicyPage from '#pwa/pages/privacy-policy-page.tsx';
import TermsOfServicePage from '#pwa/pages/terms-of-service-page.tsx';
import type { Operator } from '#shared/contract/operator.ts';
import { APP_PATHS } from '#shared/rules/app-paths.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';

const OPERATOR: Operator = {
  name: 'ИП Иванова Анна Петровна',
  ogrnip: '304500116000157',
  inn: '500100732259',
  email: 'help@shop.example',
  messengerUrl: 'https://t.me/shop_help',
  isSample: false,
  areDocumentsReviewed: false,
  sendsPhotosAbroad: false,
};
const DRAFT = 'Проект документа. Перед публикацией его должен проверить юрист оператора';
const SAMPLE = 'Образец данных';

const DOCUMENTS = [
  ['privacy policy', PrivacyPolicyPage],
  ['terms of service', TermsOfServicePage],
  ['payment policy', PaymentPolicyPage],
  ['consent', PersonalDataConsentPage],
  ['consent to the transfer', PhotoTransferConsentPage],
  ['bot policy', BotPolicyPage],
] as const;
const PAGES = [...DOCUMENTS, ['company', CompanyInfoPage], ['contacts', ContactsPage]] as const;

/** The page as HTML, with plain spaces, for this operator. */
function render(Page: () => React.ReactNode, operator: Partial<Operator> = {}): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(operatorQuery.queryKey, { ...OPERATOR, ...operator });
  return renderToStaticMarkup(
    createElement(QueryClientProvider, { client: queryClient }, createElement(MemoryRouter, null, createElement(Page))),
  ).replaceAll('\u00a0', ' ');
}

describe('the legal constants of the specification', () => {
  const PREPAYMENT = 'предоплата 100 %';
  const REFUND =
    'Возврат 100 % оплаты производится, если аккаунт отменён в течение двух дней с момента оплаты и за это время использовано не более 30 отчётов. В остальных случаях возврат производится по усмотрению администратора.';
  const METHODS = 'карты Visa, MasterCard, Maestro, Мир и электронные кошельки';
  const ACCESS = 'Доступ предоставляется в течение 1 рабочего дня с момента оплаты.';

  test.each([
    'Минимальный срок лицензии — 1 неделя.',
    PREPAYMENT,
    'она не возвращается',
    REFUND,
    METHODS,
    ACCESS,
    'Аккаунт, которым не пользовались 6 месяцев и на котором нет средств, может быть удалён.',
    'Профилактические работы занимают до 8 часов в месяц.',
    'Договор прекращается через 10 дней после уведомления.',
    'Лицензиат возмещает убытки, причинённые лицензиару нарушением этих условий или прав третьих лиц, в течение 5 дней',
    'лицензиар пресекает нарушение в течение 2 дней с момента требования',
  ])('stand in the terms: %s', (text) => {
    expect(render(TermsOfServicePage)).toContain(text);
  });

  test.each([PREPAYMENT, 'не возвращается', REFUND, METHODS, ACCESS])('stand in the payment policy: %s', (text) => {
    expect(render(PaymentPolicyPage)).toContain(text);
  });

  test.each([
    'индивидуальный предприниматель',
    'в возрасте 18 лет и старше',
    'изменять условия в одностороннем порядке',
    'Запрещено присылать боту',
    'разрешено только там, где интерфейс прямо это указывает',
  ])('stand in the terms of the bot: %s', (text) => {
    expect(render(BotPolicyPage)).toContain(text);
  });
});

describe('a legal page', () => {
  test.each(DOCUMENTS)(
    'the %s names its version and where photos go, and is a draft until it was reviewed',
    (_name, Page) => {
      const version = Page === PhotoTransferConsentPage ? TRANSFER_VERSION.replace('transfer-', '') : DOCUMENTS_VERSION;
      const day = new Date(version).getUTCDate();
      expect(render(Page)).toMatch(new RegExp(`Редакция от ${day} [а-я]+ \\d{4} г\\.`));
      expect(render(Page)).toContain(DRAFT);
      expect(render(Page)).not.toContain('с передачей фото за границу');
      expect(render(Page, { sendsPhotosAbroad: true })).toMatch(/Редакция от [^<]* с передачей фото за границу/);
      const reviewed = render(Page, { areDocumentsReviewed: true });
      expect(reviewed).not.toContain(DRAFT);
      expect(reviewed).not.toContain('Вопрос юристу');
    },
  );

  test('the privacy policy promises no end of unused photos, which stay until they are deleted', () => {
    expect(render(PrivacyPolicyPage)).toContain('Фото можно удалить и раньше: его файлы стираются сразу.');
    expect(render(PrivacyPolicyPage)).not.toContain('ничего не создали');
  });

  test.each(PAGES)('the %s page shows the operator, and says when it is an example', (_name, Page) => {
    const html = render(Page);
    expect(html).toContain(`mailto:${OPERATOR.email}`);
    expect(html).not.toContain(SAMPLE);
    expect(render(Page, { isSample: true })).toContain(SAMPLE);
  });

  test.each(PAGES)('the %s page links only to pages that there are', (_name, Page) => {
    const targets = [...render(Page).matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href);
    expect(targets.filter((target) => !(APP_PATHS as readonly string[]).includes(target ?? ''))).toEqual([]);
  });

  test.each([
    ['privacy policy', PrivacyPolicyPage],
    ['consent to the transfer', PhotoTransferConsentPage],
    ['bot policy', BotPolicyPage],
  ] as const)('the %s tells of photos going abroad only when they do', (_name, Page) => {
    expect(render(Page)).not.toMatch(/сервису fal|США/);
    expect(render(Page, { sendsPhotosAbroad: true })).toMatch(/сервису fal[^<]*США/);
  });

  test('the company and the contacts show what is configured', () => {
    const company = render(CompanyInfoPage);
    for (const value of [OPERATOR.name, OPERATOR.ogrnip, OPERATOR.inn, OPERATOR.email])
      expect(company).toContain(value);
    expect(company).toContain('Проверьте реквизиты перед оплатой');
    expect(render(ContactsPage)).toContain(`href="${OPERATOR.messengerUrl}"`);
  });
});

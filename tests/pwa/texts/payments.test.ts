// @vitest-environment happy-dom
import { vi } from 'vitest';
import { createInvoice, getInvoice, listStarPackages } from '#shared/contract/payments.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { BAD_GATEWAY } from '#tests/pwa/support/contract-server.ts';
import { describeTexts } from '#tests/pwa/support/literal-texts.ts';
import { openScreen } from '#tests/pwa/support/open-screen.tsx';
import { INVOICE_ID, sampleInvoice } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const DIALOG = '[role=dialog]';
const TOAST = '.toast';
const PAGE = 'main';
const BUY = '/app?openBuyStars=true';
const PAY = /^Перейти к оплате/;

describeTexts(import.meta.filename, {
  async 'the dialog while its packages are on their way'({ see }) {
    const { server } = await openScreen(BUY, { prepare: (server) => server.hold(listStarPackages) });
    await see(DIALOG, 'Загружаем пакеты...');
    server.letAnswer(listStarPackages);
    await see(DIALOG, 'ПРЕМИУМ', 'Максимальная выгода! Идеально для профессионалов');
    await see(DIALOG, 'ПОПУЛЯРНЫЙ', 'Лучший выбор большинства пользователей');
    await see(DIALOG, 'ВЫГОДНЫЙ', 'Отличное соотношение цены и качества');
    await see(DIALOG, 'Идеально для начинающих');
  },

  async 'a purchase'({ see }) {
    const { press, server } = await openScreen('/app');
    await see('.side', 'Купить звезды');
    await press('button', 'Купить звезды');
    await see(DIALOG, 'Пополнить звезды', 'Выберите пакет звезд и создавайте удивительные видео');
    await see(`${DIALOG} button`, 'Перейти к оплате', 'Отмена');
    await press('button', PAY);
    await see(TOAST, 'Ошибка', 'Пожалуйста, выберите пакет звезд');
    await press('radio', /^Коллекция/);
    await see(`${DIALOG} button`, 'Перейти к оплате');
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    server.answer(createInvoice, { paymentUrl: '/sandbox/pay', invoiceId: INVOICE_ID });
    const answer = server.hold(createInvoice);
    await press('button', PAY);
    await see(`${DIALOG} button`, 'Создаем платеж...');
    answer();
    await until(() => leave.mock.calls.length === 1 || Promise.reject(new Error('the page has not gone to pay')));
  },

  async 'packages that do not come'({ see }) {
    const { press, server } = await openScreen(BUY, {
      prepare: (server) => server.garble(listStarPackages, ...BAD_GATEWAY),
    });
    await see(DIALOG, 'Ошибка загрузки', 'Пожалуйста, попробуйте позже', 'Не удалось загрузить пакеты звезд');
    server.garble(listStarPackages, '');
    await press('button', 'Повторить');
    await see(DIALOG, 'Пустой ответ от сервера');
    server.garble(listStarPackages, '[{}]');
    await press('button', 'Повторить');
    await see(DIALOG, 'Некорректный ответ от сервера');
  },

  async 'an invoice that is not opened'({ see }) {
    const { press, server } = await openScreen(BUY, {
      prepare: (server) => server.garble(createInvoice, ...BAD_GATEWAY),
    });
    await press('radio', /^Коллекция/);
    await press('button', PAY);
    await see(TOAST, 'Ошибка', 'Не удалось создать платеж');
    server.garble(createInvoice, '');
    await press('button', PAY);
    await see(TOAST, 'Пустой ответ от сервера при создании платежа');
    server.garble(createInvoice, '{}');
    await press('button', PAY);
    await see(TOAST, 'Некорректный ответ от сервера при создании платежа');
    server.refuse(createInvoice, 'package_unknown');
    await press('button', PAY);
    // Said by the server in the same words.
    server.refuse(createInvoice, 'payment_not_created');
    await press('radio', /^Показ/);
    await press('button', PAY);
    await see(TOAST, 'Не удалось создать платеж');
  },

  async 'a payment that has come'({ see, seeAs }) {
    await openScreen(`/payment/success?invoice=${INVOICE_ID}`, {
      prepare: (server) => {
        server.answer(getInvoice, sampleInvoice());
        server.answer(getStarBalance, { balance: 62 });
      },
    });
    await see(TOAST, 'Оплата прошла успешно!', 'Звезды зачислены на ваш баланс');
    await see(PAGE, 'Оплата прошла успешно!', 'Звезды зачислены на ваш баланс', 'Вернуться в приложение');
    await seeAs(PAGE, 'Текущий баланс: N звезд', 'Текущий баланс: 62 звезды');
  },

  async 'a payment that has not come'({ see }) {
    await openScreen('/payment/fail');
    await see(TOAST, 'Ошибка оплаты', 'Не удалось выполнить платеж. Попробуйте еще раз.');
    await see(PAGE, 'Ошибка оплаты', 'Не удалось выполнить платеж. Попробуйте еще раз.', 'Попробовать снова');
  },
});

import { describe, expect, test } from 'vitest';
import { ApiError, readErrorAnswer } from '#pwa/client/api-error.ts';
import { describeVideos, starPrice } from '#pwa/features/payments/package-card.tsx';
import { resolvePaymentUrl } from '#pwa/features/payments/payment-address.ts';
import { findWayBack } from '#pwa/features/payments/payment-return.ts';
import { suggestPackage } from '#pwa/features/payments/star-packages.ts';
import { describePaymentError } from '#pwa/features/payments/use-start-payment.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('a package', () => {
  test('says how many videos it is enough for', () => {
    expect(plain(describeVideos(50))).toBe('До 50 видео по 5 с или 25 по 10 с');
    expect(plain(describeVideos(5))).toBe('До 5 видео по 5 с или 2 по 10 с');
    expect(plain(describeVideos(1))).toBe('До 1 видео по 5 с');
  });

  test('says the price of a star in whole roubles', () => {
    expect(starPrice({ priceRub: 1990, stars: 50 })).toBe(40);
    expect(starPrice({ priceRub: 490.5, stars: 10 })).toBe(49);
  });
});

describe('the package chosen beforehand', () => {
  const packages = [50, 10, 20].map((stars, id) => ({ id, name: '', stars, priceRub: stars }));
  test.each([
    [1, 10],
    [10, 10],
    [11, 20],
    [50, 50],
  ])('for %i missing stars is the smallest that is enough', (missing, stars) => {
    expect(suggestPackage(packages, missing)?.stars).toBe(stars);
  });

  test('is none when nothing is missing or no package is large enough', () => {
    expect([0, -3, 51].map((missing) => suggestPackage(packages, missing))).toEqual([null, null, null]);
    expect(suggestPackage([], 1)).toBeNull();
  });
});

describe('the way to the payment page', () => {
  test('leads to this site or over https', () => {
    const page = 'http://localhost:3000/app?x=1';
    expect(resolvePaymentUrl('/sandbox/pay/1', page)).toBe('http://localhost:3000/sandbox/pay/1');
    expect(resolvePaymentUrl('http://localhost:3000/sandbox/pay/1', page)).toBe('http://localhost:3000/sandbox/pay/1');
    expect(resolvePaymentUrl('https://pay.example/1', page)).toBe('https://pay.example/1');
  });

  test.each(['http://pay.example/1', 'javascript:alert(1)', 'data:text/html,x', '//pay.example/1', 'http://'])(
    'never leads to %s',
    (address) => {
      expect(resolvePaymentUrl(address, 'http://localhost:3000/app')).toBeNull();
    },
  );
});

test('the way back after paying is the tool where the same invoice was begun', () => {
  const at = (path: string) =>
    findWayBack(
      { invoiceId: 'mine', path, label: 'Продолжить: Фотосессия', purpose: 'Фотосессия', isSettled: false },
      'mine',
    );
  expect(at('/dashboard/photoshoot?x=1')?.path).toBe('/dashboard/photoshoot?x=1');
  expect(at('/app')).toBeNull();
  expect(at('/app?openBuyStars=true')).toBeNull();
  expect(at('/payment/fail?invoice=mine')).toBeNull();
  expect(
    findWayBack({ invoiceId: 'other', path: '/stars', label: '', purpose: '', isSettled: false }, 'mine'),
  ).toBeNull();
  expect(findWayBack(null, 'mine')).toBeNull();
});

describe('an invoice that was not opened', () => {
  test('is explained in the words of the server, else in our own', () => {
    const refused = readErrorAnswer(400, 'Bad Request', '{"code":"package_unknown","message":"Такого пакета нет."}');
    expect(describePaymentError(refused)).toBe('Такого пакета нет.');
    expect(describePaymentError(readErrorAnswer(502, 'Bad Gateway', '<html>'))).toBe('Не удалось создать платеж');
    expect(describePaymentError(new DOMException('', 'TimeoutError'))).toBe('Не удалось создать платеж');
    expect(describePaymentError(new ApiError(0, 'Unknown error'))).toMatch(/^Не удалось создать платеж\. Нет связи/);
  });
});

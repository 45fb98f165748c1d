import { describe, expect, test } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import {
  countBoughtStars,
  getRefundableRub,
  isRefundDecided,
  parseRoubles,
  readCorrectionForm,
  readRefundForm,
} from '#pwa/features/administration/administration-forms.ts';
import {
  describeAction,
  describeAuthor,
  describeCancellation,
  describeDetails,
  describeStarEntry,
  describeTakenStars,
  formatDelta,
} from '#pwa/features/administration/administration-texts.ts';
import type { AdminPayment } from '#shared/contract/administration.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

function payment(refunds: Array<Partial<AdminPayment['refunds'][number]>> = []): AdminPayment {
  return {
    id: 'p',
    provider: 'sandbox',
    providerPaymentId: null,
    status: 'succeeded',
    packageName: 'Примерка',
    account: { id: 1000, email: 'a@b.ru', balance: 10 },
    stars: 10,
    amountRub: 490,
    currency: 'RUB',
    refundedRub: 0,
    isTest: false,
    cancellationReason: null,
    createdAt: '',
    paidAt: null,
    refunds: refunds.map((refund) => ({
      id: 'r',
      status: 'succeeded',
      amountRub: 0,
      stars: 0,
      starsTaken: 0,
      reason: '',
      createdAt: '',
      ...refund,
    })),
  };
}

describe('an amount in roubles', () => {
  test.each([
    ['490', 490],
    ['1 990,50', 1990.5],
    ['1\u00a0990.5 ₽', 1990.5],
    ['0', 0],
    ['', null],
    ['-5', null],
    ['1,234', null],
    ['1e3', null],
  ])('%j is %s', (text, roubles) => {
    expect(parseRoubles(text)).toBe(roubles);
  });
});

describe('the refund form', () => {
  test('takes an amount that is still there and a reason', () => {
    expect(readRefundForm({ amount: '490', reason: ' Просьба покупателя ' }, 490)).toEqual({
      faults: {},
      body: { amountRub: 490, reason: 'Просьба покупателя' },
    });
  });

  test.each(['491', '0', 'сто'])('refuses %s of 490 roubles', (amount) => {
    const { faults, body } = readRefundForm({ amount, reason: '  ' }, 490);
    expect(body).toBeNull();
    expect(plain(faults.amount ?? '')).toBe('Укажите сумму до 490 ₽');
    expect(faults.reason).toBe('Укажите причину');
  });

  test('counts what went back or is on its way, not what was refused', () => {
    const refunds = [
      { status: 'succeeded', amountRub: 100, stars: 2 },
      { status: 'pending', amountRub: 50.5, stars: 1 },
      { status: 'canceled', amountRub: 300, stars: 6 },
    ] as const;
    expect(getRefundableRub(payment([...refunds]))).toBe(339.5);
    expect(countBoughtStars(payment([...refunds]), 339.5)).toBe(7);
  });

  test('counts whole stars, all of them for the whole price', () => {
    expect([0, 48, 49, 245, 490].map((roubles) => countBoughtStars(payment(), roubles))).toEqual([0, 0, 1, 5, 10]);
  });

  test('asks for another refund after a refusal, and for the same after no answer', () => {
    const failure = (status: number, code: string) => new ApiError(status, 'x', { code, message: 'x' });
    expect(isRefundDecided(failure(502, 'refund_failed'))).toBe(true);
    expect(isRefundDecided(failure(409, 'refund_impossible'))).toBe(true);
    expect(isRefundDecided(failure(503, 'unavailable'))).toBe(false);
    expect(isRefundDecided(new ApiError(0, 'x'))).toBe(false);
  });

  test('says what could not be taken', () => {
    expect(plain(describeTakenStars({ stars: 10, starsTaken: 10 }))).toBe('С баланса снято: 10 звёзд.');
    expect(plain(describeTakenStars({ stars: 10, starsTaken: 6 }))).toBe(
      'С баланса снято: 6 звёзд. Уже потрачено и снять нельзя: 4 звезды.',
    );
  });
});

describe('the correction form', () => {
  test.each([
    ['+5', 5],
    ['5', 5],
    ['−3', -3],
    ['– 3', -3],
  ])('reads %j as %i', (delta, stars) => {
    expect(readCorrectionForm({ delta, reason: 'Подарок' }, 10).body).toEqual({ delta: stars, reason: 'Подарок' });
  });

  test.each(['', '0', '1,5', 'пять', '10001', '--5'])('refuses %j', (delta) => {
    const { faults, body } = readCorrectionForm({ delta, reason: 'Подарок' }, 10);
    expect([body, faults.delta]).toEqual([null, 'Целое число, например +5 или −5']);
  });
});

describe('the words of the panel', () => {
  test('are Russian for figures and for what an audit row holds', () => {
    expect([formatDelta(4), formatDelta(-2), formatDelta(0)]).toEqual(['+4', '−2', '0']);
    const details = {
      delta: -2,
      reason: 'Ошиблись',
      amountRub: 490,
      paymentId: '2e1f0c7a-000f-5000-8000-1b8c0a7e0001',
    };
    expect(plain(describeDetails(details))).toBe('изменение: −2 · причина: Ошиблись · сумма: 490 ₽ · платёж: 0a7e0001');
    expect(plain(describeDetails({ amountRub: 250, currency: 'XTR' }))).toBe('сумма: 250 Telegram Stars');
    const change = { change: 'restored', packageId: 3, name: 'Показ', priceRub: 1990.5, priceXtr: null };
    expect(plain(describeDetails(change))).toBe(
      'что сделано: возвращён в продажу · пакет: 3 · название: Показ · цена: 1 990,50 ₽',
    );
    expect([describeAction('package_changed'), describeAction('toString')]).toEqual(['Изменение пакета', 'toString']);
    const authors = ['package_changed', 'star_charge_unmatched'].map((action) =>
      describeAuthor({ admin: null, action }),
    );
    expect([...authors, describeAuthor({ admin: 'a@b.ru', action: 'stars_corrected' })]).toEqual([
      'Команда оператора',
      'Автоматически',
      'a@b.ru',
    ]);
  });

  test('say why a payment was canceled, also when we canceled it', () => {
    for (const provider of ['yookassa', 'tbank', 'of_former_times']) {
      const say = (reason: string) => plain(describeCancellation(provider, reason));
      expect(say('never_opened')).toBe('Платёжная система не открыла счёт за сутки');
      expect(say('400 invalid_request (receipt)')).toBe(
        'Платёжная система не открыла счёт: 400 invalid_request (receipt)',
      );
      expect(say('something_new')).toBe('something_new');
    }
  });

  test('read the code of a cancellation as its provider means it', () => {
    expect(describeCancellation('tbank', 'canceled')).toBe('Отменён магазином');
    expect(describeCancellation('yookassa', 'canceled')).toBe('canceled');
    expect(describeCancellation('yookassa', 'general_decline')).toBe('Отклонён банком');
    expect(describeCancellation('sandbox', 'general_decline')).toBe('Отклонён банком');
  });

  test('say of a row of the ledger which way the stars went', () => {
    const say = (kind: 'capture' | 'refund', delta: number) => plain(describeStarEntry({ kind, delta }));
    expect([say('capture', 0), say('capture', 1)]).toEqual([
      'Генерация готова',
      'Генерация готова не полностью, часть звёзд вернулась',
    ]);
    expect([say('refund', -10), say('refund', 10)]).toEqual([
      'Возврат покупки',
      'Возврат покупки отклонён, звёзды вернулись',
    ]);
  });
});

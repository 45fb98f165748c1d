import { expect, test } from 'vitest';
import { describeStarEntry } from '#pwa/features/stars/describe-star-entry.ts';
import { formatChange } from '#pwa/features/stars/star-history.tsx';
import { STAR_ENTRY_KINDS, type StarHistoryEntry } from '#shared/contract/stars.ts';

const ID = '7d1c2c34-0a43-4a0b-8a3e-0f0f6c1b7a11';

function entry(fields: Partial<StarHistoryEntry>): StarHistoryEntry {
  return {
    id: '1',
    kind: 'hold',
    delta: -1,
    returned: 0,
    balance: 1,
    createdAt: '2026-11-21T12:00:00.000Z',
    generation: null,
    payment: null,
    note: null,
    ...fields,
  };
}

function say(fields: Partial<StarHistoryEntry>): string {
  const { title, cause } = describeStarEntry(entry(fields));
  return `${title}${cause ? `: ${cause}` : ''}`.replace(/[\u00a0\u202f]/g, ' ');
}

test('a row says what the stars were for', () => {
  const video = { id: ID, kind: 'video', made: 'video', failureCode: null } as const;
  expect(say({ kind: 'hold', generation: video })).toBe('Списано за видео');
  const session = { id: ID, kind: 'photosession', made: 'photosession', failureCode: null } as const;
  expect(say({ kind: 'release', generation: session })).toBe(
    'Возврат за фотосессию: Фотосессия не получилась, вышла неполной или была отменена',
  );
  const change = { id: ID, kind: 'model_change', failureCode: null } as const;
  expect(say({ kind: 'capture', generation: { ...change, made: 'model_change' } })).toBe(
    'Списано за смену модели: Смена модели готова',
  );
  expect(say({ kind: 'hold', generation: { ...change, made: 'background_change' } })).toBe('Списано за смену фона');
});

test('a row says what the stars were bought with, and repeats the words of an administrator', () => {
  const payment = { id: ID, packageName: 'Показ', amountRub: 1990, currency: 'RUB' as const, isTest: false };
  expect(say({ kind: 'purchase', payment })).toBe('Покупка звёзд: Пакет «Показ», 1 990 ₽');
  expect(say({ kind: 'purchase', payment: { ...payment, isTest: true } })).toBe(
    'Покупка звёзд: Пакет «Показ», 1 990 ₽ (тестовый платёж, без денег)',
  );
  expect(say({ kind: 'refund', payment, note: 'просьба покупателя' })).toBe(
    'Звёзды сняты: деньги возвращены: Пакет «Показ», 1 990 ₽. просьба покупателя',
  );
  expect(say({ kind: 'correction', note: 'Сбой 20 ноября' })).toBe('Исправление баланса: Сбой 20 ноября');
  const video = { id: ID, kind: 'video', made: 'video', failureCode: null } as const;
  expect(say({ kind: 'correction', delta: 1, generation: video, note: 'По вашей жалобе на результат' })).toBe(
    'Возврат за видео: По вашей жалобе на результат',
  );
});

test('a row that gives stars back says so', () => {
  const session = { id: ID, kind: 'photosession', made: 'photosession', failureCode: null } as const;
  expect(say({ kind: 'capture', delta: -1, returned: 1, generation: session })).toBe(
    'Списано за фотосессию: Фотосессия готова. Получилось не всё: 1 звезда вернулась',
  );
  const payment = { id: ID, packageName: 'Показ', amountRub: 1990, currency: 'RUB', isTest: false } as const;
  expect(say({ kind: 'refund', delta: 10, payment })).toBe(
    'Звёзды вернулись: возврат денег не прошёл: Пакет «Показ», 1 990 ₽',
  );
});

test('returned stars name their reason where it is known', () => {
  const failed = { id: ID, kind: 'try_on', made: 'try_on' } as const;
  expect(say({ kind: 'release', generation: { ...failed, failureCode: 'content_refused' } })).toBe(
    'Возврат за примерку: Сервис генерации не принял фото или описание',
  );
  expect(say({ kind: 'release', generation: { ...failed, failureCode: 'cancelled' } })).toBe(
    'Возврат за примерку: Генерация отменена',
  );
});

test('every kind of row has words, even when its cause is gone', () => {
  for (const kind of STAR_ENTRY_KINDS) expect(say({ kind })).not.toMatch(/undefined|null/);
});

test('a change carries its sign', () => {
  expect([50, -1, 0].map(formatChange)).toEqual(['+50', '−1', '0']);
});

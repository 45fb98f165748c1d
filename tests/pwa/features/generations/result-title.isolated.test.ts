import { afterEach, expect, test, vi } from 'vitest';
import { readTitle } from '#pwa/features/generations/result-title.ts';

afterEach(() => vi.unstubAllEnvs());

/** Late in the evening of the 22nd in Moscow. */
const createdAt = '2026-11-22T19:30:00.000Z';

test.each([
  ['Europe/Moscow', '2026-11-22'],
  ['Asia/Vladivostok', '2026-11-23'],
])('the day in a title is that of the date beside it, in the zone of the device: %s', async (zone, day) => {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const { readTitle } = await import('#pwa/features/generations/result-title.ts');
  expect(readTitle({ title: 'Платье_Дефиле_2026-11-22_9f3a1c07', createdAt })).toBe(`Платье_Дефиле_${day}_9f3a1c07`);
});

test('a title without a day, and a photo that is called like one, stay as they are', () => {
  expect(readTitle({ title: 'Пальто', createdAt })).toBe('Пальто');
  expect(readTitle({ title: 'Съёмка_2020-01-02_утро', createdAt })).toBe('Съёмка_2020-01-02_утро');
});

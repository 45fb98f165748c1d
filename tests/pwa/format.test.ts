import { describe, expect, test, vi } from 'vitest';
import {
  formatBytes,
  formatClock,
  formatDate,
  formatDay,
  formatDuration,
  formatLongMoment,
  formatNumber,
  formatRecentDate,
  formatRubles,
  nb,
} from '#pwa/format.ts';

const spaced = (text: string) => text.replace(/[\u00a0\u202f]/g, '~');

test('a day is named by how near it is', () => {
  const now = new Date(2026, 10, 28, 12);
  const days = [new Date(2026, 10, 28, 1), new Date(2026, 10, 27, 23), new Date(2026, 10, 1), new Date(2025, 11, 31)];
  expect(days.map((day) => spaced(formatDay(day, now)))).toEqual([
    'Сегодня',
    'Вчера',
    '1 ноября',
    expect.stringMatching(/^31 декабря 2025/),
  ]);
});

describe('nb', () => {
  test('ties short words, numbers and dashes to what they belong to', () => {
    expect(spaced(nb('Показ начинается с одного фото'))).toBe('Показ начинается с~одного фото');
    expect(spaced(nb('5 или 10 секунд показа по одному фото'))).toBe('5~или~10~секунд показа по~одному фото');
    expect(spaced(nb('Можно закрыть — пришлём'))).toBe('Можно закрыть~— пришлём');
    expect(spaced(nb('и в галерее'))).toBe('и~в~галерее');
  });
});

describe('numbers, sizes and times', () => {
  test('are written the Russian way', () => {
    expect(spaced(formatNumber(12345))).toBe('12~345');
    expect(spaced(formatRubles(1990))).toBe('1~990~₽');
    expect(spaced(formatRubles(490.5))).toBe('490,50~₽');
    expect(spaced(formatBytes(2_516_582))).toBe('2,4~МБ');
    expect(spaced(formatBytes(10 * 1024 * 1024))).toBe('10~МБ');
    expect(spaced(formatBytes(700))).toBe('700~Б');
    expect(spaced(formatBytes(3 * 1024 ** 3))).toBe('3~ГБ');
    expect(spaced(formatBytes(0))).toBe('0~Б');
    expect(formatDate(new Date(2026, 10, 21))).toBe('21.11.2026');
  });

  test.each([
    ['Europe/Moscow', '21 ноября 2026 г. в 01:05', '21.11.2026'],
    ['Europe/Kaliningrad', '21 ноября 2026 г. в 00:05', '21.11.2026'],
    ['America/New_York', '20 ноября 2026 г. в 17:05', '20.11.2026'],
  ])('tell a moment and its day in the zone of the device: %s', (zone, moment, day) => {
    vi.stubEnv('TZ', zone);
    expect(spaced(formatLongMoment('2026-11-20T22:05:00.000Z'))).toBe(moment);
    expect(formatDate('2026-11-20T22:05:00.000Z')).toBe(day);
    vi.unstubAllEnvs();
  });

  test('show a position as a clock and a stretch of time in words', () => {
    expect([0, 5.9, 65, -1].map(formatClock)).toEqual(['0:00', '0:05', '1:05', '0:00']);
    expect([0, 45, 180, 292].map((seconds) => spaced(formatDuration(seconds)))).toEqual([
      '0~с',
      '45~с',
      '3~мин',
      '4~мин 52~с',
    ]);
  });

  test('call today and yesterday by name', () => {
    const now = new Date(2026, 10, 21, 0, 30);
    expect(formatRecentDate(new Date(2026, 10, 21, 0, 10), now)).toBe('сегодня, 00:10');
    expect(formatRecentDate(new Date(2026, 10, 20, 23, 59), now)).toBe('вчера');
    expect(formatRecentDate(new Date(2026, 10, 19, 23, 59), now)).toBe('19.11.2026');
  });
});

import { describe, expect, test } from 'vitest';
import { describePrice } from '#pwa/pages/app-page/sample-offer.tsx';
import { hasSampleQuery, SAMPLE_PATH, withoutSampleQuery } from '#pwa/paths.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('the offer of the sample says what it takes', () => {
  test('out of the present', () => {
    expect(plain(describePrice(true, 2))).toBe('Спишется 1 звезда из 2 подаренных.');
  });

  test('out of a balance that is not the present any more', () => {
    expect(plain(describePrice(true, 5))).toBe('Спишется 1 звезда, на балансе 5 звёзд.');
    expect(plain(describePrice(true, 1))).toBe('Спишется 1 звезда, на балансе 1 звезда.');
  });

  test('out of the present that is still to come', () => {
    expect(plain(describePrice(false, 0))).toBe(
      'Спишется 1 звезда из 2, которые придут в подарок за подтверждение email.',
    );
  });
});

test('the request for the sample can be taken out of an address, and nothing else with it', () => {
  const { search } = new URL(SAMPLE_PATH, 'https://podium.example');
  expect([hasSampleQuery(search), hasSampleQuery('?sample=1'), hasSampleQuery('')]).toEqual([true, false, false]);
  expect(withoutSampleQuery(search)).toBe('');
  expect(withoutSampleQuery('?a=1&sample=true&b=2')).toBe('?a=1&b=2');
});

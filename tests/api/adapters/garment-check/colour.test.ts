import { describe, expect, test } from 'vitest';
import { deltaE2000, type Lab, labOf, linearAt, linearOf } from '#api/adapters/garment-check/colour.ts';

describe('ΔE2000', () => {
  // Of the published test data (Sharma, Wu, Dalal 2005) those of equal lightness, which its weight leaves alone.
  test.each<[Lab, Lab, number]>([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615],
    [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[50, -0.001, 2.49], [50, 0.0009, -2.49], 4.8045],
    [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
    [[50, 2.5, 0], [50, 3.1736, 0.5854], 1.0],
  ])('of %j and %j is as published', (one, other, published) => {
    expect(deltaE2000(one, other)).toBeCloseTo(published, 3);
    expect(deltaE2000(other, one)).toBeCloseTo(published, 3);
  });

  test('counts half of a difference in lightness', () => {
    expect(deltaE2000([50, 0, 0], [54, 0, 0])).toBeCloseTo(1.97, 1);
  });
});

test('a colour survives the way from light to Lab and back', () => {
  const light = linearAt({ width: 1, height: 1, data: Uint8Array.of(201, 64, 90) }, 0);
  const back = linearOf(labOf(light));
  for (const channel of [0, 1, 2]) expect(back[channel]).toBeCloseTo(light[channel]!, 4);
});

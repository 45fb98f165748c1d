import { describe, expect, test } from 'vitest';
import { convertToSrgb, differsFromSrgb } from '#api/services/photos/nclx.ts';

const SRGB = { primaries: 1, transfer: 13 };
const P3 = { primaries: 12, transfer: 13 };
const PQ = { primaries: 9, transfer: 16 };
const HLG = { primaries: 9, transfer: 18 };

function convert(pixel: number[], nclx: typeof SRGB, maxValue = 255): number[] {
  const channels = pixel.length === 4 ? 4 : 3;
  return [...convertToSrgb(Uint16Array.from(pixel), { channels, maxValue, nclx })];
}

function expectNear(actual: number[], expected: number[]): void {
  for (const [channel, value] of expected.entries()) {
    expect(Math.abs((actual[channel] ?? -99) - value), `${actual} for ${expected}`).toBeLessThanOrEqual(2);
  }
}

describe('colours that are told by numbers', () => {
  test('of Display P3 and of a high range are not those of sRGB', () => {
    expect([SRGB, { primaries: 2, transfer: 2 }, { primaries: 1, transfer: 1 }].map(differsFromSrgb)).toEqual(
      Array(3).fill(false),
    );
    expect([P3, PQ, HLG, { primaries: 1, transfer: 16 }].map(differsFromSrgb)).toEqual(Array(4).fill(true));
  });

  test('in Display P3 come out as they look', () => {
    expectNear(convert([203, 73, 67], P3), [220, 60, 60]);
    expectNear(convert([255, 255, 255], P3), [255, 255, 255]);
    expectNear(convert([128, 128, 128, 64], P3), [128, 128, 128, 64]);
  });

  test('in BT.2020 with PQ: white paper is white, and what is brighter is white too', () => {
    expectNear(convert([594, 594, 594], PQ, 1023), [255, 255, 255]);
    expectNear(convert([900, 900, 900], PQ, 1023), [255, 255, 255]);
    // A tenth of the light of white paper.
    expectNear(convert([367, 367, 367], PQ, 1023), [89, 89, 89]);
    // sRGB 220, 60, 60.
    expectNear(convert([514, 359, 317], PQ, 1023), [220, 60, 60]);
    expectNear(convert([0, 0, 0], PQ, 1023), [0, 0, 0]);
  });

  test('in BT.2020 with HLG: three quarters of the signal are white paper', () => {
    expectNear(convert([767, 767, 767], HLG, 1023), [255, 255, 255]);
    expect(convert([512, 512, 512], HLG, 1023)[0]).toBeGreaterThan(130);
    expect(convert([512, 512, 512], HLG, 1023)[0]).toBeLessThan(150);
  });
});

import { describe, expect, test } from 'vitest';
import { judge, type Measures } from '#api/adapters/garment-check/check-garment.ts';

const THRESHOLDS = { colourDifference: 3, printSimilarity: 0.8 };
const WHOLE = { left: 0, top: 0, right: 1, bottom: 1 };
const KEPT: Measures = {
  alignedBy: 'features',
  hasGarment: true,
  featureMatches: 60,
  colours: { mean: 1, largest: 2 },
  similarity: 0.95,
  shownShare: 1,
  printShift: 0.01,
  crops: { source: WHOLE, result: WHOLE },
};
const verdictOf = (measures: Partial<Measures>) => judge({ ...KEPT, ...measures }, THRESHOLDS, 2);

describe('a verdict', () => {
  test('is «kept» where colours and print agree', () => {
    expect(verdictOf({})).toEqual({
      verdict: 'kept',
      reason: null,
      drifts: [],
      colourDifference: 1,
      printSimilarity: 0.95,
      featureMatches: 60,
      crops: { source: WHOLE, result: WHOLE },
      resultIndex: 2,
    });
  });

  test.each<[string, Partial<Measures>, string[]]>([
    ['the colours differ on the mean', { colours: { mean: 3.1, largest: 4 } }, ['colour']],
    ['one colour differs much', { colours: { mean: 1, largest: 5 } }, ['colour']],
    ['a part of the print is another', { similarity: 0.79 }, ['print']],
    ['the print lies elsewhere on the garment', { printShift: 0.15 }, ['print']],
    [
      'the print is mirrored',
      { alignedBy: 'mirrored_features', similarity: 0, shownShare: 0, colours: null },
      ['print'],
    ],
    ['both do', { colours: { mean: 6, largest: 9 }, similarity: 0.2 }, ['colour', 'print']],
  ])('is «drifted» where %s', (_, measures, drifts) => {
    expect(verdictOf(measures)).toMatchObject({ verdict: 'drifted', drifts, reason: null });
  });

  test.each<[string, Partial<Measures>, string]>([
    [
      'no garment was found',
      { alignedBy: null, hasGarment: false, colours: null, similarity: null, shownShare: 0 },
      'result_garment_not_found',
    ],
    ['the print was not found', { alignedBy: null, similarity: null, shownShare: 0 }, 'not_aligned'],
    ['most of the print is hidden', { shownShare: 0.3, similarity: 0.4 }, 'too_little_shown'],
    ['the colours cannot be seen', { colours: null }, 'too_little_shown'],
  ])('is «not comparable» where %s', (_, measures, reason) => {
    expect(verdictOf(measures)).toMatchObject({ verdict: 'not_comparable', drifts: [], reason, crops: null });
  });

  test('follows the thresholds', () => {
    const strict = judge(KEPT, { colourDifference: 0.9, printSimilarity: 0.96 }, 0);
    expect(strict.drifts).toEqual(['colour', 'print']);
  });
});

import { test } from 'vitest';
import { expectShadowLeftBehind } from '#tests/api/adapters/generation-engines/local/expect-shadow-left-behind.ts';

// Each of these finds faults that the others miss. The slow suite `pixels` has the whole table.
test.each([
  ['white', 'left', 22, '#efefee'],
  ['black', 'floating', 22, '#c9cacb'],
  ['grey', 'contact', 8, '#ffffff'],
  ['grey', 'around', 8, '#c9cacb'],
  ['black', 'around', 8, '#efefee'],
] as const)('a %s thing leaves its soft shadow behind (%s, %i units of blur, on %s)', async (...drawn) => {
  const [thing, shadow, softness, ground] = drawn;
  await expectShadowLeftBehind({ thing, shadow, softness, ground });
});

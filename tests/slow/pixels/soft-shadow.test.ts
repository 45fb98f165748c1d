import { test } from 'vitest';
import { expectShadowLeftBehind } from '#tests/api/adapters/generation-engines/local/expect-shadow-left-behind.ts';

test.each([
  ['white', 'floating', 14, '#ffffff'],
  ['white', 'floating', 22, '#efefee'],
  ['white', 'contact', 22, '#ffffff'],
  ['white', 'right', 14, '#ffffff'],
  ['white', 'left', 22, '#efefee'],
  ['grey', 'floating', 14, '#ffffff'],
  ['grey', 'contact', 22, '#efefee'],
  ['black', 'floating', 22, '#c9cacb'],
  ['black', 'contact', 14, '#ffffff'],
  ['black', 'right', 22, '#ffffff'],
  ['white', 'floating', 8, '#ffffff'],
  ['white', 'left', 8, '#c9cacb'],
  ['white', 'around', 12, '#ffffff'],
  ['grey', 'contact', 8, '#ffffff'],
  ['grey', 'contact', 14, '#c9cacb'],
  ['grey', 'around', 8, '#c9cacb'],
  ['black', 'contact', 8, '#ffffff'],
  ['black', 'around', 8, '#efefee'],
] as const)('a %s thing leaves its soft shadow behind (%s, %i units of blur, on %s)', async (...drawn) => {
  const [thing, shadow, softness, ground] = drawn;
  await expectShadowLeftBehind({ thing, shadow, softness, ground });
});

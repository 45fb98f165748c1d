import { expect, test } from 'vitest';
import { cutOutSubject } from '#api/adapters/generation-engines/local/cut-out-subject.ts';
import { drawShadowedShirt } from '#tests/fixtures/draw-shadowed-shirt.ts';

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
  const drawing = await drawShadowedShirt({ thing, shadow, softness, ground });
  const { matte } = await cutOutSubject(drawing.photo, 2160);
  let [cast, left, cloth, lost] = [0, 0, 0, 0];
  for (const [pixel, alpha] of matte!.alpha.entries()) {
    if (drawing.thing[pixel] === 255 && drawing.shadow[pixel]! < 251) {
      cast++;
      left += alpha / 255;
    } else if (drawing.thing[pixel] === 0) {
      cloth++;
      lost += 1 - alpha / 255;
    }
  }
  expect(left / cast).toBeLessThan(0.02);
  expect(lost / cloth).toBeLessThan(0.01);
});

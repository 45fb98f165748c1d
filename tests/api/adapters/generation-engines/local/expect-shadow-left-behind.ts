import { expect } from 'vitest';
import { cutOutSubject } from '#api/adapters/generation-engines/local/cut-out-subject.ts';
import { drawShadowedShirt, type ShadowedShirt } from '#tests/fixtures/draw-shadowed-shirt.ts';

/** Cuts a shirt out, and asserts that the cut-out has the whole shirt and nothing of its shadow. */
export async function expectShadowLeftBehind(shirt: ShadowedShirt): Promise<void> {
  const drawing = await drawShadowedShirt(shirt);
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
}

import { describe, expect, test } from 'vitest';
import { composePicture } from '#api/adapters/generation-engines/local/compose-picture.ts';
import { chooseSupport, layOutSubject } from '#api/adapters/generation-engines/local/subject-layout.ts';
import { loadCatalogue } from '#api/catalogue/load-catalogue.ts';

const NOWHERE = { left: false, top: false, right: false, bottom: false };
const FRAME_HEIGHT = 4 / 3;

function layOut(ratio: number, { cut = NOWHERE, floor = null as number | null } = {}) {
  const subject = { width: 600, height: 600 * ratio, cut };
  return layOutSubject(subject, chooseSupport({ ...subject, data: new Uint8Array() }, false), floor);
}

describe('the place of a subject', () => {
  test.each([0.93, 1, 1.2, 1.6, 2.2])(
    'gives a garment without a body, %d times as high as wide, two thirds of the height and all of it',
    (ratio) => {
      const { support, left, top, width, height } = layOut(ratio);
      expect(support).toBe('wall');
      expect(height).toBeGreaterThanOrEqual((2 / 3) * FRAME_HEIGHT - 1e-9);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(1);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top + height).toBeLessThanOrEqual(FRAME_HEIGHT);
    },
  );

  test('puts feet and soles on the floor of every background that has one, not on its wall', async () => {
    const { backgrounds } = await loadCatalogue('api/catalogue');
    const floors = backgrounds.flatMap(({ floor }) => (floor === null ? [] : [floor]));
    expect(floors).toHaveLength(15);
    for (const floor of [...floors, 0.9]) {
      for (const ratio of [0.5, 3]) {
        const { support, top, height } = layOut(ratio, { floor });
        expect(support).toBe('floor');
        expect((top + height) / FRAME_HEIGHT).toBeGreaterThan(floor + 0.04);
        expect((top + height) / FRAME_HEIGHT).toBeLessThan(0.98);
      }
    }
  });

  test('keeps a cut-off person at the lower border, wherever the floor is', () => {
    const { support, top, height } = layOut(1.4, { cut: { ...NOWHERE, bottom: true }, floor: 0.67 });
    expect(support).toBe('border');
    expect(top + height).toBeGreaterThan(FRAME_HEIGHT);
  });
});

describe('the shadow of feet', () => {
  test('lies under each foot, also under the one further back', async () => {
    const [width, height] = [270, 360];
    const ground = { width, height, data: new Uint8Array(width * height * 3).fill(200) };
    const sprite = { width: 80, height: 300, data: new Uint8Array(80 * 300 * 4).fill(90), cut: NOWHERE };
    const [back, front] = [276, 300];
    for (let y = 0; y < sprite.height; y++) {
      for (let x = 0; x < sprite.width; x++) {
        const isBody = y < 200 ? x < 80 : (x < 30 && y < front) || (x >= 50 && y < back);
        sprite.data[(y * sprite.width + x) * 4 + 3] = isBody ? 255 : 0;
      }
    }
    const { data } = await composePicture(ground, { sprite, left: 95, top: 40, support: 'floor' });
    const brightness = (x: number, y: number) => data[(y * width + x) * 3]! / 200;
    for (const under of [brightness(95 + 15, 40 + front + 2), brightness(95 + 65, 40 + back + 2)]) {
      expect(under).toBeGreaterThan(0.2);
      expect(under).toBeLessThan(0.55);
    }
    // The floor between the feet is lit.
    expect(brightness(95 + 40, 40 + back - 20)).toBeGreaterThan(0.6);
    expect(brightness(20, 340)).toBeGreaterThan(0.97);
  });
});

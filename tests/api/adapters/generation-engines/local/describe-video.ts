import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { FrameRenderer } from '#api/adapters/generation-engines/local/frame-renderer.ts';
import { prepareScene, type Scene } from '#api/adapters/generation-engines/local/scene.ts';
import { MOTION_PRESETS, type MotionPreset } from '#shared/rules/motion-presets.ts';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

const PHOTO = { width: 540, height: 720 };
export const FRAME = { width: 360, height: 480 };
export const PIXELS = FRAME.width * FRAME.height;
const SECONDS = 5;

export async function prepare(kind: ProductPhotoKind, photoSize = PHOTO): Promise<Scene> {
  return prepareScene(await drawProductPhoto(kind, photoSize), FRAME, kind === 'shoe' ? 'обувь' : 'одежда');
}

/** Luma of the frames at these seconds, 16 to 235. */
export function renderLuma(scene: Scene, preset: MotionPreset, seconds: number[]): Uint8Array[] {
  const renderer = new FrameRenderer(scene, { preset, durationSeconds: SECONDS });
  return seconds.map((second) => renderer.renderFrame(Math.round(second * 30)).slice(0, PIXELS));
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

/** How much neighbouring pixels differ. An unfocused picture has a low value. */
function sharpness(luma: Uint8Array): number {
  let sum = 0;
  for (let i = 1; i < luma.length; i++) sum += (luma[i]! - luma[i - 1]!) ** 2;
  return sum / luma.length;
}

async function photoLuma(kind: ProductPhotoKind): Promise<Uint8Array> {
  const { data } = await sharp(await drawProductPhoto(kind, PHOTO))
    .resize(FRAME.width, FRAME.height)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Uint8Array.from(
    { length: PIXELS },
    (_, i) => 16 + 0.1826 * data[i * 3]! + 0.6142 * data[i * 3 + 1]! + 0.062 * data[i * 3 + 2]!,
  );
}

/** What every motion of a photo of this kind shows. */
export function describeVideo(kind: ProductPhotoKind): void {
  describe(`a video of a ${kind}`, () => {
    let scene: Scene;
    let photo: Uint8Array;
    beforeAll(async () => {
      [scene, photo] = await Promise.all([prepare(kind), photoLuma(kind)]);
    });

    test('moves the thing apart from its ground where they differ', () => {
      expect(scene.isCutOut).toBe(kind !== 'pale-garment' && kind !== 'busy');
    });

    test('begins with the photo itself, sharp and whole, in all five motions', () => {
      for (const preset of MOTION_PRESETS) {
        const [first] = renderLuma(scene, preset, [0]);
        expect(meanDifference(first!, photo)).toBeLessThan(1.5);
        expect(sharpness(first!)).toBeGreaterThan(sharpness(photo) * 0.93);
      }
    });

    test('sets out without a jerk', () => {
      for (const preset of MOTION_PRESETS) {
        const [first, second] = renderLuma(scene, preset, [0, 1 / 30]);
        expect(meanDifference(first!, second!)).toBeLessThan(1.2);
      }
    });

    test('shows five motions that differ from each other', () => {
      // Two motions may look alike for a moment, so several moments are compared.
      const moments = [1.2, 2.2, 3.6];
      const frames = MOTION_PRESETS.map((preset) => renderLuma(scene, preset, moments));
      // A white shirt on white has few pixels that can show a motion.
      const visible = kind === 'pale-garment' ? 0.25 : 0.8;
      frames.forEach((one, i) => {
        for (const other of frames.slice(i + 1)) {
          const differences = one.map((frame, moment) => meanDifference(frame, other[moment]!));
          expect(Math.max(...differences)).toBeGreaterThan(visible);
        }
      });
    });
  });
}

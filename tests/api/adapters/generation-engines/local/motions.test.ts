import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { containingZooms } from '#api/adapters/generation-engines/local/camera.ts';
import { FrameRenderer } from '#api/adapters/generation-engines/local/frame-renderer.ts';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { poseAt } from '#api/adapters/generation-engines/local/motions.ts';
import { prepareScene, type Scene } from '#api/adapters/generation-engines/local/scene.ts';
import { MOTION_PRESETS, type MotionPreset } from '#shared/rules/motion-presets.ts';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

const PHOTO = { width: 540, height: 720 };
const FRAME = { width: 360, height: 480 };
const PIXELS = FRAME.width * FRAME.height;
const SECONDS = 5;

async function prepare(kind: ProductPhotoKind, photoSize = PHOTO): Promise<Scene> {
  return prepareScene(await drawProductPhoto(kind, photoSize), FRAME, kind === 'shoe' ? 'обувь' : 'одежда');
}

/** Luma of the frames at these seconds, 16 to 235. */
function renderLuma(scene: Scene, preset: MotionPreset, seconds: number[]): Uint8Array[] {
  const renderer = new FrameRenderer(scene, { preset, durationSeconds: SECONDS });
  return seconds.map((second) => renderer.renderFrame(Math.round(second * 30)).slice(0, PIXELS));
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
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

beforeAll(buildKernel);

describe.each(['garment', 'person', 'shoe', 'pale-garment', 'busy'] as const)('a video of a %s', (kind) => {
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

describe('a photo of another shape', () => {
  test.each([
    { shape: 'tall and narrow', size: { width: 400, height: 1000 } },
    { shape: 'wide', size: { width: 1200, height: 700 } },
  ])('shows the whole garment in the first frame when the photo is $shape', async ({ size }) => {
    const scene = await prepare('garment', size);
    const { left, top, right, bottom } = scene.box;
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(FRAME.width);
    expect(bottom).toBeLessThanOrEqual(FRAME.height);
    const luma = renderLuma(scene, 'spin', [0])[0]!;
    const corners = [0, FRAME.width - 1, PIXELS - FRAME.width, PIXELS - 1].map((pixel) => luma[pixel]!);
    // The white ground reaches the corners of the frame, without bars or seams.
    expect(Math.min(...corners)).toBeGreaterThan(228);
  });
});

test('keeps a walking figure on its feet, its cut-off head at the upper border', async () => {
  const scene = await prepare('walking');
  expect(scene.cut).toMatchObject({ top: true, bottom: false });
  const middle = FRAME.width * 0.3;
  const findSole = (luma: Uint8Array) =>
    luma.findLastIndex((value, i) => value < 60 && Math.abs((i % FRAME.width) - FRAME.width / 2) < middle) /
    FRAME.width;
  const standing = findSole(renderLuma(scene, 'spin', [0])[0]!);
  for (const preset of ['spin', 'dance', 'pose'] as const) {
    for (const luma of renderLuma(scene, preset, [1.3, 2.4, 3.7])) {
      expect(Math.abs(findSole(luma) - standing)).toBeLessThan(FRAME.height * 0.025);
      expect(Math.min(...luma.subarray(0, FRAME.width))).toBeLessThan(170);
      // The shadow ends at the cut-off head. No dark strip runs up the wall.
      expect(luma[FRAME.width * 4 + 12]).toBeGreaterThan(170);
    }
  }
});

test('does not shrink a figure that the photo cuts off at the hips', () => {
  const poses = Array.from({ length: 150 }, (_, i) => poseAt('dance', i / 30, 5));
  const box = { left: 60, top: 3, right: 300, bottom: 480 };
  const subject = { box, pivot: { x: 180, y: 18 }, cut: { left: false, top: false, right: false, bottom: true } };
  for (const zoom of containingZooms(poses, FRAME, subject)) expect(zoom).toBeGreaterThanOrEqual(1);
});

test('no motion turns the subject so far that its back would show', () => {
  for (const preset of MOTION_PRESETS) {
    for (let frame = 0; frame < 300; frame++) expect(Math.abs(poseAt(preset, frame / 30, 10).yaw)).toBeLessThan(45);
  }
});

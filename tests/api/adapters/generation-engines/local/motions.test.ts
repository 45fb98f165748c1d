import { beforeAll, describe, expect, test } from 'vitest';
import { containingZooms } from '#api/adapters/generation-engines/local/camera.ts';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { poseAt } from '#api/adapters/generation-engines/local/motions.ts';
import { MOTION_PRESETS } from '#shared/rules/motion-presets.ts';
import {
  describeVideo,
  FRAME,
  PIXELS,
  prepare,
  renderLuma,
} from '#tests/api/adapters/generation-engines/local/describe-video.ts';

beforeAll(buildKernel);

// A thing before a wall, one on a floor, and whole pictures of a plain ground and of a street.
for (const kind of ['garment', 'shoe', 'pale-garment', 'busy'] as const) describeVideo(kind);

describe('a photo of another shape', () => {
  test.each([
    { shape: 'tall and narrow', size: { width: 400, height: 1000 } },
    { shape: 'wide', size: { width: 600, height: 350 } },
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

import { expect } from 'vitest';
import { FrameRenderer } from '#api/adapters/generation-engines/local/frame-renderer.ts';
import { prepareScene, type Scene } from '#api/adapters/generation-engines/local/scene.ts';
import type { MotionPreset } from '#shared/rules/motion-presets.ts';
import { BARS, drawRuledPhoto, type RuledPhotoKind } from '#tests/fixtures/draw-ruled-photo.ts';
import { angleBetween, findLines, type Line, matchLines } from '#tests/support/find-lines.ts';

export const FRAME = { width: 360, height: 480 };
export const MOST_DEGREES = 1.5;
export const MOST_BEND = 0.5;

/** Luma of every `step`-th frame, 16 to 235. */
export function* renderFrames(scene: Scene, preset: MotionPreset, durationSeconds: number, step: number) {
  const renderer = new FrameRenderer(scene, { preset, durationSeconds });
  for (let frame = 0; frame < renderer.frameCount; frame += step) {
    yield { frame, luma: renderer.renderFrame(frame).subarray(0, FRAME.width * FRAME.height) };
  }
}

/** Only the bars are darker than this, even in a shadow. */
const BAR_LUMA = 62;

export function findBars(luma: Uint8Array): Line[] {
  return findLines(luma, FRAME.width, BAR_LUMA);
}

const scenes = new Map<RuledPhotoKind, Promise<Scene>>();
/** Preparing takes most of the time, so each scene is prepared once. No test changes it. */
export function sceneOf(kind: RuledPhotoKind): Promise<Scene> {
  const scene = scenes.get(kind) ?? drawRuledPhoto(kind).then((photo) => prepareScene(photo, FRAME, 'одежда'));
  scenes.set(kind, scene);
  return scene;
}

/** Asserts that the bars of a garment stay straight, and run in a video of it as in the photo. */
export async function expectStraightBars(kind: RuledPhotoKind, preset: MotionPreset, seconds: number): Promise<void> {
  const scene = await sceneOf(kind);
  expect(scene.isCutOut).toBe(kind !== 'in-a-street');
  let first: Line[] | undefined;
  let measured = 0;
  for (const { frame, luma } of renderFrames(scene, preset, seconds, 25)) {
    const bars = findBars(luma);
    first ??= bars;
    expect(first).toHaveLength(BARS);
    // A camera that has come close may leave some bars out of the frame.
    if (bars.length < BARS) continue;
    measured++;
    const matched = matchLines(first, bars);
    first.forEach((line, i) => {
      expect(angleBetween(line, matched[i]!), `bar ${i} of frame ${frame}`).toBeLessThan(MOST_DEGREES);
      expect(matched[i]!.bend, `bar ${i} of frame ${frame}`).toBeLessThan(MOST_BEND);
    });
  }
  expect(measured).toBeGreaterThanOrEqual(seconds / 2);
}

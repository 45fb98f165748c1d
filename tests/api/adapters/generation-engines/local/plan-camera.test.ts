import { expect, test } from 'vitest';
import { planCamera } from '#api/adapters/generation-engines/local/plan-camera.ts';
import { fillWarpGrid } from '#api/adapters/generation-engines/local/warp-grid.ts';
import { MOTION_PRESETS } from '#shared/rules/motion-presets.ts';
import {
  expectUpright,
  FRAMES,
  NOT_CUT,
  outlineScene,
  SCENES,
} from '#tests/api/adapters/generation-engines/local/outline-scenes.ts';

// The slow suite `pixels` has every scene in every ratio.
test.each([
  ...Object.keys(SCENES).map((name) => ['3:4', name] as const),
  ['9:16', 'a thing before a wall'],
  ['1:1', 'a whole picture of a plain ground'],
] as const)('a video of %s lets no line of %s lean, in any frame of any motion', expectUpright);

test('the camera moves away from a thing that fills the frame before it comes closer', () => {
  const scene = outlineScene(FRAMES['3:4'], 0.98, SCENES['a thing before a wall']!);
  const zooms = planCamera(scene, { preset: 'walk', durationSeconds: 5 }).map(({ zoom }) => zoom);
  expect(zooms[0]).toBe(1);
  expect(Math.min(...zooms)).toBeLessThan(0.92);
  expect(zooms.at(-1)).toBeGreaterThan(0.95);
  expect(zooms.at(-1)! / Math.min(...zooms)).toBeGreaterThan(1.1);
});

test('a whole picture always covers the frame', () => {
  for (const name of Object.keys(SCENES).filter((scene) => scene.startsWith('a whole picture'))) {
    const scene = outlineScene(FRAMES['3:4'], 0.98, SCENES[name]!);
    // Below cut-off legs there is no margin to show.
    const lowest = scene.frame.height + (scene.cut.bottom ? 1 : 2) * scene.margin;
    const nodes = new Int32Array(13 * 17 * 4);
    const [least, most] = [
      { u: 0, v: 0 },
      { u: 0, v: 0 },
    ];
    for (const preset of MOTION_PRESETS) {
      for (const { pose, zoom } of planCamera(scene, { preset, durationSeconds: 5 })) {
        fillWarpGrid({ nodes, cells: new Uint8Array(12 * 16) }, scene, pose, zoom);
        for (let node = 0; node < nodes.length; node += 4) {
          const [u, v] = [nodes[node]! / 65_536, nodes[node + 1]! / 65_536];
          least.u = Math.min(least.u, u);
          least.v = Math.min(least.v, v);
          most.u = Math.max(most.u, u);
          most.v = Math.max(most.v, v);
        }
      }
    }
    expect(Math.min(least.u, least.v)).toBeGreaterThan(-1);
    expect(most.u).toBeLessThan(scene.frame.width + 2 * scene.margin + 1);
    expect(most.v).toBeLessThan(lowest + 1);
  }
});

test('a whole picture of a figure whose head and legs are cut off is not brought nearer than the motion asks', () => {
  const cut = { ...NOT_CUT, top: true, bottom: true };
  const scene = outlineScene(FRAMES['3:4'], 1, { isCutOut: false, margin: 15, cut });
  for (const preset of MOTION_PRESETS) {
    for (const { pose, zoom } of planCamera(scene, { preset, durationSeconds: 5 })) {
      expect(zoom).toBeLessThan(pose.zoom + 0.13);
    }
  }
});

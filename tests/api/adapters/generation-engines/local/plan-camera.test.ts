import { describe, expect, test } from 'vitest';
import { planCamera } from '#api/adapters/generation-engines/local/plan-camera.ts';
import { flatRelief, RELIEF_CELL } from '#api/adapters/generation-engines/local/relief.ts';
import type { Scene } from '#api/adapters/generation-engines/local/scene.ts';
import { fillWarpGrid, type WarpGrid } from '#api/adapters/generation-engines/local/warp-grid.ts';
import { ASPECT_RATIOS, type AspectRatio, MOTION_PRESETS } from '#shared/rules/motion-presets.ts';

/** The sizes of the videos, made smaller. Only their shape matters. */
const FRAMES: Record<AspectRatio, Scene['frame']> = {
  '3:4': { width: 96, height: 128 },
  '9:16': { width: 72, height: 128 },
  '1:1': { width: 128, height: 128 },
};
const MOST_DEGREES = 1.5;
const NOT_CUT = { left: false, top: false, right: false, bottom: false };

const SCENES: Record<string, Partial<Scene>> = {
  'a thing before a wall': { isCutOut: true, shadow: 'wall' },
  'a thing on a floor': { isCutOut: true, shadow: 'floor' },
  'a figure that the photo cuts off': { isCutOut: true, shadow: 'wall', cut: { ...NOT_CUT, top: true, bottom: true } },
  'a whole picture of a plain ground': { isCutOut: false, margin: 15 },
  'a whole picture of a figure cut off': { isCutOut: false, margin: 15, cut: { ...NOT_CUT, bottom: true } },
  'a whole picture of a street': { isCutOut: false, margin: 0 },
};

/** A scene without pixels. `fill`: share of the frame that the subject takes. */
function outlineScene(frame: Scene['frame'], fill: number, settings: Partial<Scene>): Scene {
  const [gapX, gapY] = [(frame.width * (1 - fill)) / 2, (frame.height * (1 - fill)) / 2];
  return {
    frame,
    box: { left: gapX, top: gapY, right: frame.width - gapX, bottom: frame.height - gapY },
    cut: NOT_CUT,
    margin: 8,
    shadow: 'wall',
    relief: flatRelief(frame),
    headroom: 1,
    ...settings,
  } as Scene;
}

/** How many degrees a line through a cell deviates from its angle in the photo, at most over all directions. */
function leanOfCell(grid: WarpGrid, node: number, nodesAcross: number): number {
  const u = (index: number) => grid.nodes[index * 4]!;
  const v = (index: number) => grid.nodes[index * 4 + 1]!;
  const [right, below] = [node + 1, node + nodesAcross];
  const a = u(right) - u(node);
  const b = u(below) - u(node);
  const c = v(right) - v(node);
  const d = v(below) - v(node);
  const turn = Math.abs(Math.atan2(c - b, a + d));
  const squeeze = Math.asin(Math.hypot(a - d, b + c) / Math.hypot(a + d, c - b));
  return ((turn + squeeze) * 180) / Math.PI;
}

function worstLean(scene: Scene): number {
  const [columns, rows] = [scene.frame.width / RELIEF_CELL, scene.frame.height / RELIEF_CELL];
  const grid: WarpGrid = {
    nodes: new Int32Array((columns + 1) * (rows + 1) * 4),
    cells: new Uint8Array(columns * rows),
  };
  const reach = scene.isCutOut ? 0 : scene.margin;
  const { left, top, right, bottom } = scene.isCutOut
    ? scene.box
    : { left: 0, top: 0, right: scene.frame.width, bottom: scene.frame.height };
  let worst = 0;
  for (const preset of MOTION_PRESETS) {
    for (const durationSeconds of [5, 10]) {
      for (const { pose, zoom } of planCamera(scene, { preset, durationSeconds })) {
        fillWarpGrid(grid, scene, pose, zoom);
        for (let row = 0; row < rows; row++) {
          for (let column = 0; column < columns; column++) {
            const node = row * (columns + 1) + column;
            const [x, y] = [grid.nodes[node * 4]! / 65_536 - reach, grid.nodes[node * 4 + 1]! / 65_536 - reach];
            if (x < left || x > right || y < top || y > bottom) continue;
            worst = Math.max(worst, leanOfCell(grid, node, columns + 1));
          }
        }
      }
    }
  }
  return worst;
}

describe.each(ASPECT_RATIOS)('a video of %s', (ratio) => {
  test.each(Object.keys(SCENES))('lets no line of %s lean, in any frame of any motion', (name) => {
    for (const fill of [0.55, 0.98]) {
      const lean = worstLean(outlineScene(FRAMES[ratio], fill, SCENES[name]!));
      expect(lean).toBeLessThan(MOST_DEGREES);
      // The subject does turn.
      expect(lean).toBeGreaterThan(0.9);
    }
  });
});

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
    for (const preset of MOTION_PRESETS) {
      for (const { pose, zoom } of planCamera(scene, { preset, durationSeconds: 5 })) {
        fillWarpGrid({ nodes, cells: new Uint8Array(12 * 16) }, scene, pose, zoom);
        const across = nodes.filter((_, i) => i % 4 === 0).map((u) => u / 65_536);
        const down = nodes.filter((_, i) => i % 4 === 1).map((v) => v / 65_536);
        expect(Math.min(...across, ...down)).toBeGreaterThan(-1);
        expect(Math.max(...across)).toBeLessThan(scene.frame.width + 2 * scene.margin + 1);
        expect(Math.max(...down)).toBeLessThan(lowest + 1);
      }
    }
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

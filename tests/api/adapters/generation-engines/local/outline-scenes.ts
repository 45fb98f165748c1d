import { expect } from 'vitest';
import { planCamera } from '#api/adapters/generation-engines/local/plan-camera.ts';
import { flatRelief, RELIEF_CELL } from '#api/adapters/generation-engines/local/relief.ts';
import type { Scene } from '#api/adapters/generation-engines/local/scene.ts';
import { fillWarpGrid, type WarpGrid } from '#api/adapters/generation-engines/local/warp-grid.ts';
import { type AspectRatio, MOTION_PRESETS } from '#shared/rules/motion-presets.ts';

/** The sizes of the videos, made smaller. Only their shape matters. */
export const FRAMES: Record<AspectRatio, Scene['frame']> = {
  '3:4': { width: 96, height: 128 },
  '9:16': { width: 72, height: 128 },
  '1:1': { width: 128, height: 128 },
};
const MOST_DEGREES = 1.5;
export const NOT_CUT = { left: false, top: false, right: false, bottom: false };

export const SCENES: Record<string, Partial<Scene>> = {
  'a thing before a wall': { isCutOut: true, shadow: 'wall' },
  'a thing on a floor': { isCutOut: true, shadow: 'floor' },
  'a figure that the photo cuts off': { isCutOut: true, shadow: 'wall', cut: { ...NOT_CUT, top: true, bottom: true } },
  'a whole picture of a plain ground': { isCutOut: false, margin: 15 },
  'a whole picture of a figure cut off': { isCutOut: false, margin: 15, cut: { ...NOT_CUT, bottom: true } },
  'a whole picture of a street': { isCutOut: false, margin: 0 },
};

/** A scene without pixels. `fill`: share of the frame that the subject takes. */
export function outlineScene(frame: Scene['frame'], fill: number, settings: Partial<Scene>): Scene {
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

/** Asserts that no line of a scene leans in any frame of any motion, whether it is small in the frame or fills it. */
export function expectUpright(ratio: AspectRatio, name: string): void {
  for (const fill of [0.55, 0.98]) {
    const lean = worstLean(outlineScene(FRAMES[ratio], fill, SCENES[name]!));
    expect(lean).toBeLessThan(MOST_DEGREES);
    // The subject does turn.
    expect(lean).toBeGreaterThan(0.9);
  }
}

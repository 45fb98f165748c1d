import { sampleBilinear } from '#api/imaging/pixel-image.ts';
import { type Pivot, viewLayer } from './camera.ts';
import type { Pose } from './motions.ts';
import { RELIEF_CELL } from './relief.ts';
import type { Scene } from './scene.ts';

/** The kernel's input for one frame: nodes at every eighth pixel and the type of each cell between them. */
export interface WarpGrid {
  /** Four integers per node: subject u and v in 16.16 pixels, subject and ground gain in Q14. */
  nodes: Int32Array;
  /** One byte per cell: 0 only ground, 1 both layers, 2 only subject. */
  cells: Uint8Array;
}

/** Where the frame lies on the ground layer, in its pixels. */
export interface GroundMap {
  scale: number;
  left: number;
  top: number;
}

const ONE_Q14 = 16384;
/** Strength of the light. It is low, because buyers judge a product by its shading, too. */
const LIGHT = 0.14;
const VIGNETTE = 0.05;
const WALL_SHADOW = 0.2;
/** Width over which a shadow on the wall fades out, as a share of the frame's width. */
const SHADOW_SOFTNESS = 0.04;
const FLOOR_SHADOW = 0.28;
/** Height of a shadow on the floor relative to the height of its subject. */
const FLOOR_FORESHORTENING = 0.13;

/**
 * Distance of the pivot from the subject's top, as a share of its height. A figure cut at the hips keeps its head in
 * view, and a thing on a floor stays there.
 */
const PIVOT = 0.55;
const PIVOT_OF_CUT_FIGURE = 0.03;
/**
 * Height of the pivot in a whole picture of a figure whose head is cut off, as a share of the frame's height. Nothing
 * can be shown above, so a pivot closer to the border would force a close-up.
 */
const PIVOT_OF_CUT_HEAD = 0.25;

function pivotShare(scene: Scene): number {
  if (scene.shadow === 'floor') return 1;
  return scene.cut.bottom ? PIVOT_OF_CUT_FIGURE : PIVOT;
}

/** The point of the frame about which a pose turns and scales the subject. */
export function subjectPivot(scene: Scene): Pivot {
  const { frame, box, cut, isCutOut } = scene;
  // The position of the subject is unknown in a picture without a plain ground.
  if (!isCutOut && scene.margin === 0) return { x: frame.width / 2, y: frame.height / 2 };
  if (!isCutOut && cut.top) return { x: frame.width / 2, y: frame.height * PIVOT_OF_CUT_HEAD };
  return { x: (box.left + box.right) / 2, y: box.top + (box.bottom - box.top) * pivotShare(scene) };
}

/** Fills the grid for one pose. `zoom` is separate, because a move of the whole picture also has to cover the frame. */
export function fillWarpGrid(grid: WarpGrid, scene: Scene, pose: Pose, zoom: number): GroundMap {
  const { frame, relief } = scene;
  const reach = scene.isCutOut ? 0 : scene.margin;
  const columns = frame.width / RELIEF_CELL;
  const rows = frame.height / RELIEF_CELL;
  const pivot = subjectPivot(scene);
  const view = viewLayer(pose, frame, pivot, zoom);
  const shade = shadowShader(scene, pose, zoom);
  const presences = new Uint8Array((columns + 1) * (rows + 1));
  const at = 1 / RELIEF_CELL;
  const darkAcross = Float64Array.from({ length: columns + 1 }, (_, column) => ((2 * column) / columns - 1) ** 4);
  for (let row = 0; row <= rows; row++) {
    const y = row * RELIEF_CELL;
    const darkDown = 0.7 * ((2 * row) / rows - 1) ** 4;
    for (let column = 0; column <= columns; column++) {
      const x = column * RELIEF_CELL;
      const depth = 1 / (view[6] * x + view[7] * y + view[8]);
      const u = (view[0] * x + view[1] * y + view[2]) * depth;
      const v = (view[3] * x + view[4] * y + view[5]) * depth;
      const node = row * (columns + 1) + column;
      const vignette = 1 - VIGNETTE * pose.depthCue * (darkAcross[column]! + darkDown);
      const cellX = Math.min(relief.width - 1, Math.max(0, (u * at) | 0));
      const cellY = Math.min(relief.height - 1, Math.max(0, (v * at) | 0));
      const place = cellY * relief.width + cellX;
      presences[node] = relief.presence[place]! + relief.solid[place]!;
      const light = presences[node] ? lightAt(scene, pose.light, u, v) : 1;
      grid.nodes[node * 4] = (u + reach) * 65536;
      grid.nodes[node * 4 + 1] = (v + reach) * 65536;
      grid.nodes[node * 4 + 2] = ONE_Q14 * light * vignette;
      grid.nodes[node * 4 + 3] = ONE_Q14 * vignette * shade(u, v);
    }
  }
  fillCells(grid.cells, presences, columns, rows);
  return mapGround(scene, pose);
}

/** Brightness of the subject under the light. The side that faces the light gains as much as its highlights allow. */
function lightAt({ relief, headroom }: Scene, light: number, u: number, v: number): number {
  if (light === 0) return 1;
  const at = 1 / RELIEF_CELL;
  return Math.min(1 + LIGHT * light * sampleBilinear(relief.facing, u * at - 0.5, v * at - 0.5), headroom);
}

function fillCells(cells: Uint8Array, presences: Uint8Array, columns: number, rows: number): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const node = row * (columns + 1) + column;
      const below = node + columns + 1;
      const least = presences[node]! & presences[node + 1]! & presences[below]! & presences[below + 1]! & 2;
      const most = presences[node]! | presences[node + 1]! | presences[below]! | presences[below + 1]!;
      cells[row * columns + column] = least || (most && 1);
    }
  }
}

/** Brightness of the ground at a position in pixels of the subject's layer. */
function shadowShader(
  { frame, relief, box, isCutOut, shadow }: Scene,
  pose: Pose,
  zoom: number,
): (u: number, v: number) => number {
  if (!isCutOut || pose.depthCue === 0) return () => 1;
  const at = 1 / RELIEF_CELL;
  if (shadow === 'floor') {
    const strength = FLOOR_SHADOW * pose.depthCue;
    // Extends slightly to the front, so that no light is visible under the sole.
    const front = box.bottom + 0.03 * (box.bottom - box.top);
    return (u, v) => {
      const above = (v - front) / FLOOR_FORESHORTENING;
      // Fades out towards the head and ends there. Nothing is known above a head that the photo cuts off.
      const fading = strength * Math.max(0, Math.min(1, 1 + above / (box.bottom - box.top)));
      if (fading === 0) return 1;
      return (
        1 -
        fading *
          sampleBilinear(relief.shadow, (u + above * 0.06 * pose.light) * at - 0.5, (box.bottom + above) * at - 0.5)
      );
    };
  }
  const strength = WALL_SHADOW * pose.depthCue;
  const offsetX = (frame.width * (0.012 - 0.03 * pose.light)) / zoom;
  const offsetY = (frame.height * 0.012) / zoom;
  const soft = frame.width * SHADOW_SOFTNESS;
  return (u, v) => {
    const x = u - offsetX;
    const y = v - offsetY;
    // Nothing beyond the frame is known that could cast it.
    const beyond = Math.max(0, -x, x - frame.width, -y, y - frame.height);
    if (beyond >= soft) return 1;
    return 1 - strength * (1 - beyond / soft) * sampleBilinear(relief.shadow, x * at - 0.5, y * at - 0.5);
  };
}

function mapGround({ frame, margin }: Scene, pose: Pose): GroundMap {
  const scale = 1 / pose.groundZoom;
  const x = frame.width / 2;
  const y = frame.height / 2;
  return {
    scale,
    left: x + margin - (x + pose.groundShiftX * frame.height) * scale,
    top: y + margin - (y + pose.groundShiftY * frame.height) * scale,
  };
}

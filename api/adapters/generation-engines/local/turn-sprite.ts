import { type Plane, sampleBilinear } from '#api/imaging/pixel-image.ts';
import { keepLinesUpright, project, viewLayer } from './camera.ts';
import { STILL } from './motions.ts';
import { inflateRelief, RELIEF_CELL } from './relief.ts';
import type { Sprite } from './sprite.ts';

/** Strength of the light. It is low, because buyers judge a product by its shading, too. */
const LIGHT = 0.07;
/** Room around the sprite for the turn, as a share of its width. */
const MARGIN_SHARE = 0.12;

/**
 * Turns a sprite about its upright axis by up to `yaw` degrees (positive: its right side comes closer), with the camera
 * of the videos. It turns less if hems and stripes would lean too far. The result is slightly larger than the sprite on
 * all sides that are not cut off.
 */
export async function turnSprite(sprite: Sprite, yaw: number): Promise<Sprite & { marginX: number; marginY: number }> {
  const marginX = Math.ceil((sprite.width * MARGIN_SHARE) / RELIEF_CELL) * RELIEF_CELL;
  const marginY = Math.ceil((sprite.height * 0.04) / RELIEF_CELL) * RELIEF_CELL;
  const width = Math.ceil((sprite.width + 2 * marginX) / RELIEF_CELL) * RELIEF_CELL;
  const height = Math.ceil((sprite.height + 2 * marginY) / RELIEF_CELL) * RELIEF_CELL;
  const layer = premultiply(sprite, width, height, marginX, marginY);
  const relief = await inflateRelief(alphaOf(layer));
  const pivot = { x: marginX + sprite.width / 2, y: marginY + sprite.height * 0.5 };
  const box = { left: marginX, top: marginY, right: marginX + sprite.width, bottom: marginY + sprite.height };
  const [pose] = keepLinesUpright([{ ...STILL, yaw }], { width, height }, box, pivot);
  const view = viewLayer(pose!, { width, height }, pivot);
  const columns = width / RELIEF_CELL + 1;
  const nodes = { u: plane(columns, height), v: plane(columns, height), light: plane(columns, height) };
  const at = 1 / RELIEF_CELL;
  for (let row = 0; row < nodes.u.height; row++) {
    for (let column = 0; column < columns; column++) {
      const [u, v] = project(view, column * RELIEF_CELL, row * RELIEF_CELL);
      const node = row * columns + column;
      nodes.u.data[node] = u;
      nodes.v.data[node] = v;
      nodes.light.data[node] = 1 + sampleBilinear(relief.facing, u * at - 0.5, v * at - 0.5) * LIGHT * Math.sign(yaw);
    }
  }
  const data = new Uint8Array(width * height * 4);
  const sample = new Float32Array(4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = sampleBilinear(nodes.u, x * at, y * at);
      const v = sampleBilinear(nodes.v, x * at, y * at);
      if (!samplePremultiplied(layer, u, v, sample)) continue;
      const light = sampleBilinear(nodes.light, x * at, y * at) * (255 / sample[3]!);
      const to = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) data[to + c] = Math.min(255, sample[c]! * light + 0.5);
      data[to + 3] = sample[3]! + 0.5;
    }
  }
  return { width, height, data, cut: sprite.cut, marginX, marginY };
}

function plane(columns: number, height: number): Plane {
  const rows = height / RELIEF_CELL + 1;
  return { width: columns, height: rows, data: new Float32Array(columns * rows) };
}

/** Places the sprite on a larger canvas. At cut-off sides the last row or column is repeated into the margin. */
function premultiply(sprite: Sprite, width: number, height: number, marginX: number, marginY: number): Sprite {
  const data = new Uint8Array(width * height * 4);
  const { cut } = sprite;
  for (let y = 0; y < height; y++) {
    const sy = y - marginY;
    if ((sy < 0 && !cut.top) || (sy >= sprite.height && !cut.bottom)) continue;
    const row = Math.min(sprite.height - 1, Math.max(0, sy)) * sprite.width;
    for (let x = 0; x < width; x++) {
      const sx = x - marginX;
      if ((sx < 0 && !cut.left) || (sx >= sprite.width && !cut.right)) continue;
      const from = (row + Math.min(sprite.width - 1, Math.max(0, sx))) * 4;
      const to = (y * width + x) * 4;
      const share = sprite.data[from + 3]! / 255;
      for (let c = 0; c < 3; c++) data[to + c] = sprite.data[from + c]! * share + 0.5;
      data[to + 3] = sprite.data[from + 3]!;
    }
  }
  return { width, height, data, cut };
}

function alphaOf({ width, height, data }: Sprite): Plane<Uint8Array> {
  const alpha = new Uint8Array(width * height);
  for (let pixel = 0; pixel < alpha.length; pixel++) alpha[pixel] = data[pixel * 4 + 3]!;
  return { width, height, data: alpha };
}

/** Returns false at an empty place. */
function samplePremultiplied({ width, height, data }: Sprite, u: number, v: number, out: Float32Array): boolean {
  if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) return false;
  const left = u | 0;
  const top = v | 0;
  const fx = u - left;
  const fy = v - top;
  const at = (top * width + left) * 4;
  const below = at + width * 4;
  for (let c = 3; c >= 0; c--) {
    const upper = data[at + c]! + (data[at + 4 + c]! - data[at + c]!) * fx;
    const lower = data[below + c]! + (data[below + 4 + c]! - data[below + c]!) * fx;
    out[c] = upper + (lower - upper) * fy;
    if (c === 3 && out[3]! < 1) return false;
  }
  return true;
}

import sharp from 'sharp';
import {
  boxBlur,
  type FrameSize,
  type Plane,
  type RgbImage,
  resizeRgb,
  sampleBilinear,
} from '#api/imaging/pixel-image.ts';
import type { Sprite } from './sprite.ts';
import type { Layout, Support } from './subject-layout.ts';

/** A sprite at its final size and its position in the picture, in pixels. Parts may lie outside. */
export interface PlacedSprite {
  sprite: Sprite;
  left: number;
  top: number;
  support: Support;
}

/** Shadows are soft, so a quarter of the size is enough. */
const SHADOW_SCALE = 4;
/** How far the product's colours may move towards those of the scene. More would mislead a buyer. */
const MAX_TINT = 0.05;
const WRAP = 0.24;

/** Scales a sprite and moves it to the place that a layout gives it in a frame. */
export async function placeSprite(sprite: Sprite, layout: Layout, frame: FrameSize): Promise<PlacedSprite> {
  const resized = await resizeSprite(
    sprite,
    Math.max(1, Math.round(layout.width * frame.width)),
    Math.max(1, Math.round(layout.height * frame.width)),
  );
  return {
    sprite: resized,
    left: Math.round(layout.left * frame.width),
    top: Math.round(layout.top * frame.width),
    support: layout.support,
  };
}

async function resizeSprite(sprite: Sprite, width: number, height: number): Promise<Sprite> {
  const data = await sharp(sprite.data, { raw: { width: sprite.width, height: sprite.height, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  return { width, height, data, cut: sprite.cut };
}

/** Draws a subject over a ground, with a shadow, a slight tint of the scene and its light around the rim. */
export async function composePicture(ground: RgbImage, placed: PlacedSprite): Promise<RgbImage> {
  const { width, height } = ground;
  const { sprite, left, top } = placed;
  const alpha = new Uint8Array(width * height);
  const rows = { from: Math.max(0, -top), to: Math.min(sprite.height, height - top) };
  const columns = { from: Math.max(0, -left), to: Math.min(sprite.width, width - left) };
  for (let y = rows.from; y < rows.to; y++) {
    for (let x = columns.from; x < columns.to; x++) {
      alpha[(y + top) * width + x + left] = sprite.data[(y * sprite.width + x) * 4 + 3]!;
    }
  }
  const shadow = castShadow({ width, height, data: alpha }, placed);
  const gains = tintOf(ground);
  // The rim takes some light from what lies behind it, as it would in a real room.
  const nearness = boxBlur({ width, height, data: alpha }, Math.max(2, Math.round(width / 240))).data;
  const behind = await blurGround(ground);
  const out = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const at = pixel * 3;
      const opacity = alpha[pixel]! / 255;
      const light = 1 - sampleBilinear(shadow, (x - 1.5) / SHADOW_SCALE, (y - 1.5) / SHADOW_SCALE);
      const source = opacity > 0 ? ((y - top) * sprite.width + x - left) * 4 : 0;
      const wrap = opacity > 0 ? (1 - nearness[pixel]! / 255) * WRAP : 0;
      for (let c = 0; c < 3; c++) {
        const under = ground.data[at + c]! * light;
        const own = sprite.data[source + c]! * gains[c]!;
        const over = own + (behind.data[at + c]! - own) * wrap;
        out[at + c] = Math.max(0, Math.min(255, under + (over - under) * opacity + 0.5));
      }
    }
  }
  return { width, height, data: out };
}

/** Factors for red, green and blue. They move colours towards the scene's, and darken a little in a dark scene. */
function tintOf({ data }: RgbImage): [number, number, number] {
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at + 2 < data.length; at += 3 * 37) {
    count++;
    for (let c = 0; c < 3; c++) sums[c]! += data[at + c]!;
  }
  const [red, green, blue] = sums.map((sum) => sum / count) as [number, number, number];
  const luma = (red + green + blue) / 3;
  const exposure = 1 - 0.05 * Math.max(0, Math.min(1, (100 - luma) / 100));
  const gain = (mean: number) => {
    const cast = Math.max(-0.5, Math.min(0.5, (mean - luma) / Math.max(40, luma)));
    return Math.max(1 - MAX_TINT, Math.min(1 + MAX_TINT, exposure * (1 + MAX_TINT * cast)));
  };
  return [gain(red), gain(green), gain(blue)];
}

async function blurGround(ground: RgbImage): Promise<RgbImage> {
  const small = await resizeRgb(ground, Math.ceil(ground.width / 24), Math.ceil(ground.height / 24));
  return resizeRgb(small, ground.width, ground.height);
}

/** How much darker the ground becomes, 0 to 1, at a quarter of the picture's size. */
function castShadow(alpha: Plane<Uint8Array>, placed: PlacedSprite): Plane {
  const width = Math.ceil(alpha.width / SHADOW_SCALE);
  const height = Math.ceil(alpha.height / SHADOW_SCALE);
  const shape = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = Math.min(alpha.height - 1, y * SHADOW_SCALE + 2) * alpha.width;
      shape[y * width + x] = alpha.data[from + Math.min(alpha.width - 1, x * SHADOW_SCALE + 2)]! / 255;
    }
  }
  const silhouette: Plane = { width, height, data: shape };
  if (placed.support === 'floor') return floorShadow(silhouette, placed);
  const unit = width / 270;
  if (placed.support === 'border') {
    return weigh(soften(shift(silhouette, 9 * unit, 6 * unit), 13 * unit), 0.17);
  }
  const wide = soften(shift(silhouette, 5 * unit, 8 * unit), 7 * unit);
  const tight = soften(shift(silhouette, 1.5 * unit, 2.5 * unit), 2 * unit);
  return addUp([
    [wide, 0.24],
    [tight, 0.2],
  ]);
}

/**
 * Lower part of the height in which feet may touch the floor. It has some depth, because one foot may stand behind the
 * other.
 */
const FOOT_ZONE = 0.12;
/** How much the floor darkens under a sole: directly below, nearby and further around. */
const CONTACT = { tight: 0.7, near: 0.55, wide: 0.55 };
const CAST_FORESHORTENING = 0.14;
const CAST_LEAN = 0.9;

/** For every column the subject's lowest point in the foot zone, and the lowest point of the foot it belongs to. */
function findSoles(
  { width, height, data }: Plane,
  lowest: number,
  zone: number,
): ({ y: number; foot: number } | undefined)[] {
  const soles = new Array<{ y: number; foot: number } | undefined>(width);
  let first = 0;
  let last = -1;
  const close = (end: number) => {
    const own = soles.slice(first, end).filter((sole) => sole !== undefined);
    const foot = own.reduce((most, { y }) => Math.max(most, y), 0);
    for (const sole of own) sole.foot = foot;
    first = end;
    last = -1;
  };
  for (let x = 0; x < width; x++) {
    let y = Math.min(lowest, height - 1);
    while (y > lowest - zone && y >= 0 && data[y * width + x]! < 0.5) y--;
    const isFound = y > lowest - zone && y >= 0;
    // A new foot begins after a gap, or where the lower edge jumps.
    if (!isFound || (last >= 0 && Math.abs(y - last) > zone * 0.2)) close(x);
    if (!isFound) continue;
    soles[x] = { y, foot: y };
    last = y;
  }
  close(width);
  return soles;
}

/** Shadow on the floor: dark where feet or a sole touch it, plus a flattened silhouette that leans away behind them. */
function floorShadow({ width, height, data }: Plane, { sprite, top }: PlacedSprite): Plane {
  const unit = width / 270;
  const foot = Math.min(height - 1, Math.round((top + sprite.height) / SHADOW_SCALE));
  const zone = (sprite.height * FOOT_ZONE) / SHADOW_SCALE;
  const contact = new Float32Array(width * height);
  const soles = findSoles({ width, height, data }, foot, zone);
  const reach = Math.max(1, Math.round(1.6 * unit));
  for (let x = 0; x < width; x++) {
    const sole = soles[x];
    if (!sole) continue;
    // Parts of a foot above its lowest point (a bent toe, a heel) darken the floor less. Each foot is judged by itself.
    const strength = 1 - 0.7 * Math.min(1, (sole.foot - sole.y) / (zone * 0.3));
    for (let row = sole.y - reach; row <= Math.min(height - 1, sole.y + reach); row++) {
      if (row >= 0) contact[row * width + x] = strength;
    }
  }
  const cast = new Float32Array(width * height);
  const length = (sprite.height / SHADOW_SCALE) * CAST_FORESHORTENING;
  for (let y = Math.max(0, Math.floor(foot - length)); y <= Math.min(height - 1, foot + 1); y++) {
    const above = foot - y;
    const row = Math.round(foot - above / CAST_FORESHORTENING);
    if (row < 0 || row >= height) continue;
    const fall = Math.max(0, 1 - above / length) ** 1.5;
    for (let x = 0; x < width; x++) {
      const from = Math.round(x - above * CAST_LEAN);
      if (from >= 0 && from < width) cast[y * width + x] = data[row * width + from]! * fall;
    }
  }
  const plane = (values: Float32Array): Plane => ({ width, height, data: values });
  return addUp([
    [soften(plane(contact), 1.2 * unit), CONTACT.tight],
    [soften(plane(contact), 3 * unit), CONTACT.near],
    [soften(plane(contact), 7 * unit), CONTACT.wide],
    [soften(plane(cast), 5 * unit), 0.26],
  ]);
}

function shift({ width, height, data }: Plane, right: number, down: number): Plane {
  const out = new Float32Array(width * height);
  const [dx, dy] = [Math.round(right), Math.round(down)];
  for (let y = dy; y < height; y++) {
    for (let x = dx; x < width; x++) out[y * width + x] = data[(y - dy) * width + x - dx]!;
  }
  return { width, height, data: out };
}

/** Three box blurs approximate a Gaussian. */
function soften(plane: Plane, radius: number): Plane {
  const pixels = Math.max(1, Math.round(radius));
  return boxBlur(boxBlur(boxBlur(plane, pixels), pixels), pixels);
}

function weigh(plane: Plane, weight: number): Plane {
  return addUp([[plane, weight]]);
}

function addUp(layers: [Plane, number][]): Plane {
  const [{ width, height }] = layers[0]!;
  const data = new Float32Array(width * height);
  for (const [plane, weight] of layers) {
    for (let i = 0; i < data.length; i++) data[i] = Math.min(0.75, data[i]! + plane.data[i]! * weight);
  }
  return { width, height, data };
}

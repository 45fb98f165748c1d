import { type Deviation, type GroundTolerances, groundTolerances } from './deviation.ts';
import { findSkin } from './find-skin.ts';
import { CLEARLY_OTHER, compareWithGroundAround, DIRECTIONS } from './ground-around.ts';
import { measureOutlineDistance } from './outline-distance.ts';
import type { RgbImage } from './pixel-image.ts';
import { forEachRegion } from './regions.ts';

/**
 * Distance from the ground's colour, in levels of the furthest channel, that its own shade and mixing with neighbours
 * explain.
 */
const NEAR_GROUND = 12;
/** Where the bank beyond an island's rim is measured, in pixels. The rim itself is mixed. */
const BANK = { near: 5, far: 12 };
/** A smaller island is a gap between fingers. Only a limb may separate a larger one from the ground. */
const ISLAND = { leastPixels: 20, areaShare: 0.001, halfWidth: 7, clearBanks: 0.9, limb: 0.13, limbRows: 0.7 };
/** Half the width up to which a part of an island may be a fold. */
const FOLD_PIXELS = 4;
/** More islands than limbs and fingers make are a pattern in the ground's colour, such as dots or letters. */
const MOST_ISLANDS = 12;

/**
 * Distance from the ground's colour, in levels, up to which a narrow island is ground. The colours of its banks reach
 * into its middle. One that differs more may be a stripe of the cloth: it stays closed, and the cut-out is kept. A
 * missed gap between legs does less harm than no cut-out.
 */
const SURE_IN_NARROW_GAP = 2.8;
/** Share of skin on an island's banks from which the island lies between hand, arm and body. */
const SKIN_BANK = 0.25;
/**
 * Distance from the ground's colour, in levels, up to which an island beside skin is ground. No cloth comes so close by
 * chance.
 */
const SURE_BESIDE_SKIN = 4;
/** If more of the subject than this has skin colours, the cloth has them, and they prove nothing. */
const MOST_SKIN = 0.5;
/** Upper part of the subject that may contain eyes and teeth. */
const FACE_SHARE = 0.4;

/** An island that may be shaded ground or cloth. Areas are shares of the picture. */
const DOUBT = { leastArea: 0.0008, mostArea: 0.03, shade: 0.75, chroma: 5, tone: 8, limb: 0.07, tall: 1.5 };

interface Surroundings extends Size {
  mask: Uint8Array;
  data: Uint8Array;
  gradient: Float32Array;
  view: ReturnType<typeof compareWithGroundAround>;
  skin: ReturnType<typeof findSkin>;
  /** Lowest row that may contain eyes and teeth. */
  faceUpTo: number;
}

interface Size {
  width: number;
  height: number;
}

/**
 * Finds ground that limbs enclose on all sides, for example between arm and waist or between fingers, and returns its
 * pixels. `isDoubtful`: an island is left that may be shaded ground or cloth, so the cut-out cannot be trusted.
 * `gradient`: of the image, in levels per pixel. `shadow`: 255 for soft shadows.
 */
export function findIslands(
  mask: Uint8Array,
  image: RgbImage,
  gradient: Float32Array,
  deviation: Pick<Deviation, 'gradientNoise' | 'threshold'>,
  shadow: Uint8Array | null,
): { ground: number[]; isDoubtful: boolean } {
  const { width, height } = image;
  const [top, bottom] = [Math.floor(mask.indexOf(255) / width), Math.floor(mask.lastIndexOf(255) / width)];
  const around: Surroundings = {
    width,
    height,
    mask,
    data: image.data,
    gradient,
    view: compareWithGroundAround(mask, image, shadow),
    skin: findSkin(mask, image),
    faceUpTo: top + (bottom - top) * FACE_SHARE,
  };
  const tolerances = groundTolerances(deviation);
  const { islands, isDoubtful } = findIslandsOfGroundColour(around, tolerances);
  return {
    ground: islands.length > MOST_ISLANDS ? [] : islands.flat(),
    isDoubtful: isDoubtful || hasShadedIsland(around, new Set(islands.flat()), tolerances),
  };
}

function findIslandsOfGroundColour(around: Surroundings, tolerances: GroundTolerances) {
  const { width, height, mask, view } = around;
  const islands: number[][] = [];
  let isDoubtful = false;
  const isNear = (pixel: number) => mask[pixel] !== 0 && view.distance[pixel]! < NEAR_GROUND;
  forEachRegion(width, height, isNear, (region) => {
    if (region.length < ISLAND.leastPixels || region.length > width * height * DOUBT.mostArea) return;
    const island = describeIsland(region, around);
    const verdict = judgeIsland(region, island, around, tolerances);
    if (verdict === 'finger_gap') islands.push(region);
    else if (verdict === 'limb_gap') islands.push(withoutFolds(region, island.depthOf, width));
    else if (verdict === 'doubtful') isDoubtful = true;
  });
  return { islands, isDoubtful };
}

function judgeIsland(
  region: number[],
  island: Island,
  around: Surroundings,
  { smooth, tolerance }: GroundTolerances,
): 'finger_gap' | 'limb_gap' | 'doubtful' | 'cloth' {
  if (island.touchesGround || island.clearBanks < ISLAND.clearBanks) return 'cloth';
  const isSmall =
    region.length <= around.width * around.height * ISLAND.areaShare && island.halfWidth <= ISLAND.halfWidth;
  if (isSmall) return island.isBesideSkin ? 'finger_gap' : 'cloth';
  if (island.gradient > smooth || !isBehindLimb(region, ISLAND.limb, around)) return 'cloth';
  const isNarrow = island.halfWidth < ISLAND.halfWidth;
  const sure = Math.max(tolerance, island.isBesideSkin ? SURE_BESIDE_SKIN : isNarrow ? SURE_IN_NARROW_GAP : 0);
  if (island.tone < sure) return 'limb_gap';
  if (island.tone >= DOUBT.tone) return 'cloth';
  const mayBeGround =
    island.isBesideSkin || (!isNarrow && isTall(region, around.width) && isBehindLimb(region, DOUBT.limb, around));
  return mayBeGround ? 'doubtful' : 'cloth';
}

/** Difference between the channels, in levels, from which a ground has a hue that cloth does not share by chance. */
const SATURATED = 60;

/**
 * Whether an island that has not been opened may be ground in the shade of a limb: beside skin, or of the hue of a
 * saturated ground.
 */
function hasShadedIsland(around: Surroundings, opened: ReadonlySet<number>, { smooth }: GroundTolerances): boolean {
  const { width, height, mask, view } = around;
  const isShaded = (pixel: number) =>
    mask[pixel] !== 0 &&
    !opened.has(pixel) &&
    view.shade[pixel]! < 1.02 &&
    view.shade[pixel]! > DOUBT.shade &&
    view.chroma[pixel]! < DOUBT.chroma;
  let isFound = false;
  forEachRegion(width, height, isShaded, (region) => {
    if (region.length < width * height * DOUBT.leastArea || region.length > width * height * DOUBT.mostArea) return;
    const island = describeIsland(region, around);
    if (island.touchesGround || island.clearBanks < ISLAND.clearBanks || island.gradient > smooth) return;
    if (island.isBesideSkin) isFound = true;
    else if (isSaturated(region, around) && isBehindLimb(region, ISLAND.limb, around)) isFound = true;
  });
  return isFound;
}

function isSaturated(region: number[], { data }: Surroundings): boolean {
  const spans = region.map((pixel) => {
    const [red, green, blue] = [data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!];
    return Math.max(red, green, blue) - Math.min(red, green, blue);
  });
  return median(spans) > SATURATED;
}

type Island = ReturnType<typeof describeIsland>;

function describeIsland(region: number[], around: Surroundings) {
  const { gradient, view } = around;
  const { skinBanks, ...banks } = describeBanks(region, around);
  const { depth, depthOf, top } = measureDepth(region, around);
  const core = region.filter((pixel) => depthOf(pixel) > 1.6);
  const inner = core.length >= 6 ? core : region;
  return {
    ...banks,
    depthOf,
    /** Nothing in a face counts, because eyes and teeth lie beside skin, too. */
    isBesideSkin: skinBanks > SKIN_BANK && top > around.faceUpTo,
    halfWidth: depth.reduce((most, value) => Math.max(most, value), 0),
    tone: median(inner.map((pixel) => view.distance[pixel]!)),
    gradient: median(inner.map((pixel) => gradient[pixel]!)),
  };
}

/** What lies along an island's rim, as shares of the rim. */
function describeBanks(region: number[], { width, height, mask, view, skin }: Surroundings) {
  const pixels = width * height;
  const own = new Set(region);
  const isClear = (pixel: number) => mask[pixel] !== 0 && view.distance[pixel]! > CLEARLY_OTHER;
  let touchesGround = false;
  let [rim, clear, skinny] = [0, 0, 0];
  for (const pixel of region) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touchesGround = true;
    const neighbours = [pixel - 1, pixel + 1, pixel - width, pixel + width];
    if (neighbours.some((neighbour) => mask[neighbour] === 0)) touchesGround = true;
    if (neighbours.every((neighbour) => own.has(neighbour))) continue;
    rim++;
    const banks = DIRECTIONS.flatMap(([dx, dy]) => [dx + dy * width, -dx - dy * width]);
    const isBank = (step: number, reach: number) => {
      const place = pixel + step * reach;
      return place >= 0 && place < pixels && !own.has(place) && isClear(place);
    };
    const beside = banks.filter((step) => isBank(step, BANK.near));
    // Behind the outline of a pale print there is pale cloth again.
    if (beside.some((step) => isBank(step, BANK.far))) clear++;
    if (beside.some((step) => skin.isSkin[pixel + step * BANK.near])) skinny++;
  }
  return {
    touchesGround,
    clearBanks: clear / Math.max(1, rim),
    skinBanks: skin.share > MOST_SKIN ? 0 : skinny / Math.max(1, rim),
  };
}

/** How far inside an island each pixel is, and the island's highest row. */
function measureDepth(region: number[], { width, height }: Size) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const pixel of region) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const size = { width: right - left + 3, height: bottom - top + 3 };
  const placeOf = (pixel: number) => (Math.floor(pixel / width) - top + 1) * size.width + (pixel % width) - left + 1;
  const local = new Uint8Array(size.width * size.height);
  for (const pixel of region) local[placeOf(pixel)] = 255;
  const depth = measureOutlineDistance({ ...size, data: local }, ISLAND.halfWidth + 1);
  return { depth, depthOf: (pixel: number) => depth[placeOf(pixel)]!, top };
}

/**
 * Removes the folds of pale cloth that run into an island. They are narrow. So are the ends of the island, which are
 * opened later.
 */
function withoutFolds(region: number[], depthOf: (pixel: number) => number, width: number): number[] {
  const kept = new Set<number>();
  for (const pixel of region) {
    if (depthOf(pixel) <= FOLD_PIXELS) continue;
    for (let dy = -FOLD_PIXELS; dy <= FOLD_PIXELS; dy++)
      for (let dx = -FOLD_PIXELS; dx <= FOLD_PIXELS; dx++) kept.add(pixel + dy * width + dx);
  }
  return kept.size > 0 ? region.filter((pixel) => kept.has(pixel)) : region;
}

function rowsOf(region: number[], width: number): Map<number, { left: number; right: number }> {
  const rows = new Map<number, { left: number; right: number }>();
  for (const pixel of region) {
    const y = Math.floor(pixel / width);
    const x = pixel % width;
    const row = rows.get(y) ?? { left: x, right: x };
    rows.set(y, { left: Math.min(row.left, x), right: Math.max(row.right, x) });
  }
  return rows;
}

function isTall(region: number[], width: number): boolean {
  const rows = rowsOf(region, width);
  return rows.size > DOUBT.tall * median([...rows.values()].map(({ left, right }) => right - left + 1));
}

/** Whether ground is within reach along most of the island's height. `reachShare`: a share of the longer side. */
function isBehindLimb(region: number[], reachShare: number, { mask, width, height }: Surroundings): boolean {
  const reach = Math.round(Math.max(width, height) * reachShare);
  const rows = rowsOf(region, width);
  const isGroundWithin = (y: number, from: number, step: 1 | -1) => {
    for (let x = from; x >= 0 && x < width && Math.abs(x - from) <= reach; x += step) {
      if (mask[y * width + x] === 0) return true;
    }
    return false;
  };
  const sides = ([1, -1] as const).map(
    (step) => [...rows].filter(([y, { left, right }]) => isGroundWithin(y, step === 1 ? right : left, step)).length,
  );
  return Math.max(...sides) > rows.size * ISLAND.limbRows;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

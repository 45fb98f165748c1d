/**
 * The per-pixel work of the local engine, in AssemblyScript (compiled to WebAssembly with SIMD).
 *
 * Where every pixel comes from is decided in TypeScript (`warp-grid.ts`), once for every eighth pixel; this
 * file only walks the 8 x 8 cells between those nodes, samples the two layers and lays one over the other.
 *
 * A layer is planes of one byte a pixel (`layer.ts`), so that eight neighbouring pixels are sampled together: their
 * sources lie within sixteen bytes of a row, which one swizzle brings into place. Chroma is sampled once for four
 * pixels. Inside, values are 16-bit with 7 binary places; weights are Q15, gains Q14.
 */

/** Bytes of one grid node: subject u, subject v (16.16 pixels), subject gain, plate gain (Q14). */
const NODE_BYTES: i32 = 16;
const CELL: i32 = 8;
/** Pixels by which a layer continues its border, as in `layer.ts`. */
const BORDER_X: i32 = 32;
const BORDER_Y: i32 = 3;

/** Positions along a line have 11 binary places: eight pixels of up to two source pixels each fit into 15 bits. */
const PLACES: i32 = 11;
const ONE: i16 = 2048;

/** A position (16.16) moved onto the layer or the border that continues it. */
// @ts-expect-error: decorator
@inline
function onLayer(at: i32, border: i32, size: i32): i32 {
  return max(-(border << 16), min(at, size << 16));
}

// The relaxed product differs between processors only where both factors are -1, which does not occur.
// @ts-expect-error: decorator
@inline
function times(values: v128, shares: v128): v128 {
  return i16x8.relaxed_q15mulr_s(values, shares);
}

// @ts-expect-error: decorator
@inline
function mix(from: v128, to: v128, share: v128): v128 {
  return i16x8.add(from, times(i16x8.sub(to, from), share));
}

/** Multiples of a step (16.16) for eight neighbours. */
// @ts-expect-error: decorator
@inline
function slope(step: i32): v128 {
  return i16x8.mul(i16x8.splat(<i16>(step >> (16 - PLACES))), i16x8(0, 1, 2, 3, 4, 5, 6, 7));
}

/** The slope of four chroma pixels of U, followed by that of the same four of V. They lie two luma pixels apart. */
// @ts-expect-error: decorator
@inline
function chromaSlope(luma: v128): v128 {
  return v128.shuffle<u16>(luma, luma, 0, 2, 4, 6, 0, 2, 4, 6);
}

/** Positions of eight pixels relative to the whole pixel `first`. */
// @ts-expect-error: decorator
@inline
function along(start: i32, first: i32, slope: v128): v128 {
  return i16x8.add(i16x8.splat(<i16>((start - (first << 16)) >> (16 - PLACES))), slope);
}

/** The swizzle that puts each pixel's left and right neighbour side by side. */
// @ts-expect-error: decorator
@inline
function pairsAt(positions: v128): v128 {
  const left = i16x8.shr_u(positions, PLACES);
  return i16x8.add(v128.or(left, i16x8.shl(left, 8)), i16x8.splat(0x0100));
}

/** Weights of the right neighbours: what follows the point of the positions. */
// @ts-expect-error: decorator
@inline
function weightsAt(positions: v128): v128 {
  return i16x8.shr_u(i16x8.shl(positions, 16 - PLACES), 1);
}

/** Interpolates within one row. `pairs`: left and right neighbours side by side. */
// @ts-expect-error: decorator
@inline
function across(pairs: v128, weights: v128): v128 {
  return mix(i16x8.shr_u(i16x8.shl(pairs, 8), 1), i16x8.shl(i16x8.shr_u(pairs, 8), 7), weights);
}

// @ts-expect-error: decorator
@inline
function lumaPairs(at: usize, pairs: v128): v128 {
  return i8x16.relaxed_swizzle(v128.load(at), pairs);
}

// @ts-expect-error: decorator
@inline
function chromaPairs(at: usize, plane: usize, pairs: v128): v128 {
  return v128.shuffle<u64>(lumaPairs(at, pairs), lumaPairs(at + plane, pairs), 0, 3);
}

/** Interpolates between rows. A slanted line reaches into a third one, so `down` may be up to two. */
// @ts-expect-error: decorator
@inline
function ofThree(upper: v128, lower: v128, third: v128, down: v128): v128 {
  const value = mix(upper, lower, i16x8.shl(i16x8.min_s(down, i16x8.splat(ONE - 1)), 15 - PLACES));
  return mix(value, third, i16x8.shl(i16x8.max_s(i16x8.sub(down, i16x8.splat(ONE)), i16x8.splat(0)), 15 - PLACES));
}

/** Eight pixels of a plane. */
// @ts-expect-error: decorator
@inline
function sample(at: usize, stride: usize, pairs: v128, weights: v128, down: v128, isSlanted: bool): v128 {
  const upper = across(lumaPairs(at, pairs), weights);
  const lower = across(lumaPairs(at + stride, pairs), weights);
  if (!isSlanted) return mix(upper, lower, i16x8.shl(down, 15 - PLACES));
  return ofThree(upper, lower, across(lumaPairs(at + 2 * stride, pairs), weights), down);
}

/** Four pixels of U and the same four of V. */
// @ts-expect-error: decorator
@inline
function sampleChroma(at: usize, plane: usize, stride: usize, pairs: v128, weights: v128, down: v128, isSlanted: bool): v128 {
  const upper = across(chromaPairs(at, plane, pairs), weights);
  const lower = across(chromaPairs(at + stride, plane, pairs), weights);
  if (!isSlanted) return mix(upper, lower, i16x8.shl(down, 15 - PLACES));
  return ofThree(upper, lower, across(chromaPairs(at + 2 * stride, plane, pairs), weights), down);
}

/** Multiplies luma by gains (Q14). */
// @ts-expect-error: decorator
@inline
function gained(luma: v128, gains: v128): v128 {
  const half = times(luma, gains);
  return i16x8.add_sat_s(half, half);
}

/** Gains of eight pixels that change evenly along the line. */
// @ts-expect-error: decorator
@inline
function gainsAt(left: i32, right: i32): v128 {
  return i16x8.add(i16x8.splat(<i16>left), i16x8.mul(i16x8.splat(<i16>((right - left) >> 3)), i16x8(0, 1, 2, 3, 4, 5, 6, 7)));
}

// Values that stay the same for a whole call. As globals they need not be passed through the pixel loop as twenty
// parameters.
let subjectLayer: usize = 0;
let subjectStride: usize = 0;
let subjectPlane: usize = 0;
let subjectWidth: i32 = 0;
let subjectHeight: i32 = 0;
let plateLayer: usize = 0;
let plateStride: usize = 0;
let platePlane: usize = 0;
let plateWidth: i32 = 0;
let plateHeight: i32 = 0;
/** Source pixels of the plate for one pixel of the frame, 16.16. */
let plateStep: i32 = 0;

/** Whether a cell with these corners (16.16, in one direction) needs no border of a layer of this size. */
// @ts-expect-error: decorator
@inline
function isWithin(one: i32, other: i32, third: i32, fourth: i32, size: i32): bool {
  return min(min(one, other), min(third, fourth)) > 65536 && max(max(one, other), max(third, fourth)) < (size - 2) << 16;
}

/** Address of a pixel of a plane. */
// @ts-expect-error: decorator
@inline
function addressOf(plane: usize, stride: usize, column: i32, row: i32): usize {
  return plane + <usize>((row + BORDER_Y) * <i32>stride + column + BORDER_X);
}

/** Eight pixels of the plate, which is only scaled and shifted. */
// @ts-expect-error: decorator
@inline
function plateLine(u: i32, v: i32, steps: v128, gains: v128): v128 {
  u = onLayer(u, BORDER_X / 2, plateWidth); v = onLayer(v, BORDER_Y - 1, plateHeight);
  const positions = along(u, u >> 16, steps), down = i16x8.splat(<i16>((v & 0xffff) >> (16 - PLACES)));
  const at = addressOf(plateLayer, plateStride, u >> 16, v >> 16);
  return gained(sample(at, plateStride, pairsAt(positions), weightsAt(positions), down, false), gains);
}

// @ts-expect-error: decorator
@inline
function plateChroma(u: i32, v: i32, steps: v128): v128 {
  u = onLayer(u, BORDER_X / 2, plateWidth); v = onLayer(v, BORDER_Y - 1, plateHeight);
  const positions = along(u, u >> 16, steps), down = i16x8.splat(<i16>((v & 0xffff) >> (16 - PLACES)));
  const at = addressOf(plateLayer + platePlane, plateStride, u >> 16, v >> 16);
  return sampleChroma(at, platePlane, plateStride, pairsAt(positions), weightsAt(positions), down, false);
}

/** What of the plate shows through the subject's line that was drawn last, in Q15. */
let through: v128 = i16x8.splat(0);

/** Eight pixels of the subject, over the plate where it shows through. Sets `through`. */
// @ts-expect-error: decorator
@inline
function subjectLine(
  kind: i32, isInside: bool, u: i32, v: i32, dv: i32, across: v128, down: v128, gains: v128,
  pu: i32, pv: i32, plateSteps: v128, plateGains: v128,
): v128 {
  let end = v + dv * 7;
  if (!isInside) {
    u = onLayer(u, BORDER_X / 2, subjectWidth);
    v = onLayer(v, BORDER_Y - 1, subjectHeight); end = onLayer(end, BORDER_Y - 1, subjectHeight);
  }
  const row = min(v, end) >> 16, isSlanted = ((v ^ end) >> 16) != 0;
  const positions = along(u, u >> 16, across), rows = along(v, row, down);
  const pairs = pairsAt(positions), weights = weightsAt(positions);
  const at = addressOf(subjectLayer, subjectStride, u >> 16, row);
  const over = gained(sample(at, subjectStride, pairs, weights, rows, isSlanted), gains);
  if (kind == 2) return over;
  const missing = i16x8.sub(i16x8.splat(32640), sample(at + 3 * subjectPlane, subjectStride, pairs, weights, rows, isSlanted));
  // Scaled so that fully transparent is exactly one (32767) in Q15, and almost opaque is opaque.
  const clear = v128.andnot(i16x8.add_sat_s(missing, i16x8.shr_u(missing, 8)), i16x8.lt_s(missing, i16x8.splat(64)));
  through = clear;
  return v128.any_true(clear) ? i16x8.add_sat_s(over, times(plateLine(pu, pv, plateSteps, plateGains), clear)) : over;
}

/** The chroma of the subject's two lines, without the plate. */
// @ts-expect-error: decorator
@inline
function subjectChroma(isInside: bool, u: i32, v: i32, dv: i32, across: v128, down: v128): v128 {
  let end = v + dv * 6;
  if (!isInside) {
    u = onLayer(u, BORDER_X / 2, subjectWidth);
    v = onLayer(v, BORDER_Y - 1, subjectHeight); end = onLayer(end, BORDER_Y - 1, subjectHeight);
  }
  const row = min(v, end) >> 16;
  const positions = along(u, u >> 16, across);
  return sampleChroma(addressOf(subjectLayer + subjectPlane, subjectStride, u >> 16, row), subjectPlane, subjectStride,
    pairsAt(positions), weightsAt(positions), along(v, row, down), ((v ^ end) >> 16) != 0);
}

/** Stores two lines. Up to here luma has no offset of 16. The upper limit is white (235). */
// @ts-expect-error: decorator
@inline
function storeLuma(at: usize, width: i32, upper: v128, lower: v128): void {
  const levels = i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add_sat_s(upper, i16x8.splat(64)), 7),
    i16x8.shr_s(i16x8.add_sat_s(lower, i16x8.splat(64)), 7));
  const limited = i8x16.add(i8x16.min_u(levels, i8x16.splat(<i8>219)), i8x16.splat(16));
  v128.store64_lane(at, limited, 0);
  v128.store64_lane(at + width, limited, 1);
}

/**
 * Renders the cell rows [fromCellRow, toCellRow) of one frame.
 * `cells` holds one byte a cell: 0 the plate alone, 1 both layers, 2 the subject alone.
 * The plate lies under the frame by a scale and a shift: `plateScale`, `plateLeft`, `plateTop`, in plate pixels. No
 * layer is shown so small that a pixel of the frame spans two of its pixels.
 */
export function render(
  grid: usize, cells: usize, frame: usize, width: i32, height: i32, fromCellRow: i32, toCellRow: i32,
  subject: usize, subjectColumns: i32, subjectRows: i32, plate: usize, plateColumns: i32, plateRows: i32,
  plateScale: f64, plateLeft: f64, plateTop: f64,
): void {
  const columns = width / CELL;
  const nodeStride = (columns + 1) * NODE_BYTES;
  const chromaWidth = width >> 1;
  const planeU = frame + width * height;
  const planeV = planeU + chromaWidth * (height >> 1);
  subjectLayer = subject; subjectWidth = subjectColumns; subjectHeight = subjectRows;
  subjectStride = subjectColumns + 2 * BORDER_X; subjectPlane = subjectStride * (subjectRows + 2 * BORDER_Y);
  plateLayer = plate; plateWidth = plateColumns; plateHeight = plateRows;
  plateStride = plateColumns + 2 * BORDER_X; platePlane = plateStride * (plateRows + 2 * BORDER_Y);
  plateStep = <i32>Math.round(plateScale * 65536.0);
  // The middle of four pixels, as the position of the first of four.
  const plateMiddle = (plateStep - 65536) >> 1;
  const plateSteps = slope(plateStep), plateChromaSteps = chromaSlope(plateSteps);

  for (let cellRow = fromCellRow; cellRow < toCellRow; cellRow++) {
    for (let cellColumn = 0; cellColumn < columns; cellColumn++) {
      const kind = <i32>load<u8>(cells + cellRow * columns + cellColumn);
      const a = grid + cellRow * nodeStride + cellColumn * NODE_BYTES, b = a + nodeStride;
      const x = cellColumn * CELL;
      let u = load<i32>(a), v = load<i32>(a, 4), rightU = load<i32>(a, 16), rightV = load<i32>(a, 20);
      const lowerU = load<i32>(b), lowerV = load<i32>(b, 4), farU = load<i32>(b, 16), farV = load<i32>(b, 20);
      const downU = (lowerU - u) >> 3, downV = (lowerV - v) >> 3;
      const rightDownU = (farU - rightU) >> 3, rightDownV = (farV - rightV) >> 3;
      const isInside = isWithin(u, rightU, lowerU, farU, subjectWidth) && isWithin(v, rightV, lowerV, farV, subjectHeight);
      // Gains change so slowly that two lines can share them.
      let gains = gainsAt(load<i32>(a, 8), load<i32>(a, 24)), plateGains = gainsAt(load<i32>(a, 12), load<i32>(a, 28));
      const gainsDown = i16x8.shr_s(i16x8.sub(gainsAt(load<i32>(b, 8), load<i32>(b, 24)), gains), 2);
      const plateGainsDown = i16x8.shr_s(i16x8.sub(gainsAt(load<i32>(b, 12), load<i32>(b, 28)), plateGains), 2);
      const pu = <i32>((plateScale * <f64>x + plateLeft) * 65536.0);
      let pv = <i32>((plateScale * <f64>(cellRow * CELL) + plateTop) * 65536.0);
      let at = frame + cellRow * CELL * width + x;
      let chromaAt = cellRow * (CELL / 2) * chromaWidth + (x >> 1);
      // Two lines at a time, because they share their chroma.
      for (let pair = 0; pair < CELL / 2; pair++) {
        let upper: v128, lower: v128, chroma: v128;
        if (kind == 0) {
          upper = plateLine(pu, pv, plateSteps, plateGains);
          lower = plateLine(pu, pv + plateStep, plateSteps, plateGains);
          chroma = plateChroma(pu + plateMiddle, pv + plateMiddle, plateChromaSteps);
        } else {
          const du = (rightU - u) >> 3, dv = (rightV - v) >> 3;
          const across = slope(du), down = slope(dv);
          upper = subjectLine(kind, isInside, u, v, dv, across, down, gains, pu, pv, plateSteps, plateGains);
          const above = through;
          lower = subjectLine(kind, isInside, u + downU, v + downV, dv, across, down, gains, pu, pv + plateStep, plateSteps, plateGains);
          chroma = subjectChroma(isInside, u + ((du + downU - 65536) >> 1), v + ((dv + downV - 65536) >> 1), dv, chromaSlope(across), chromaSlope(down));
          const clear = i32x4.add(i32x4.extadd_pairwise_i16x8_s(above), i32x4.extadd_pairwise_i16x8_s(through));
          if (kind == 1 && v128.any_true(clear)) {
            const share = i32x4.shr_s(clear, 2);
            const under = plateChroma(pu + plateMiddle, pv + plateMiddle, plateChromaSteps);
            chroma = i16x8.add_sat_s(chroma, times(under, i16x8.narrow_i32x4_s(share, share)));
          }
          u += downU << 1; v += downV << 1; rightU += rightDownU << 1; rightV += rightDownV << 1;
        }
        storeLuma(at, width, upper, lower);
        const levels = i16x8.shr_s(i16x8.add_sat_s(chroma, i16x8.splat(64)), 7);
        const both = i8x16.narrow_i16x8_u(levels, levels);
        v128.store32_lane(planeU + chromaAt, both, 0);
        v128.store32_lane(planeV + chromaAt, both, 1);
        gains = i16x8.add(gains, gainsDown); plateGains = i16x8.add(plateGains, plateGainsDown);
        pv += plateStep << 1;
        at += width << 1; chromaAt += chromaWidth;
      }
    }
  }
}

/**
 * The per-pixel work of the local engine, in AssemblyScript (compiled to WebAssembly with SIMD).
 *
 * Where every pixel comes from is decided in TypeScript (`warp-grid.ts`), once for every eighth pixel; this
 * file only walks the 8 x 8 cells between those nodes, samples the two layers and lays one over the other.
 *
 * Layers are packed four bytes a pixel (luma - 16, U, V, alpha; the subject premultiplied by alpha), so that one
 * bilinear sample is a handful of vector instructions for all channels. Inside, values are 16-bit with 7 binary
 * places; weights are Q15, gains Q14.
 */

/** Bytes of one grid node: subject u, subject v (16.16 pixels), subject gain, plate gain (Q14). */
const NODE_BYTES: i32 = 16;
const CELL: i32 = 8;

/** Bilinear sample of a packed layer. Lanes 0 to 3 of the result hold the four channels. */
// @ts-expect-error: decorator
@inline
function sample(layer: usize, stride: i32, maxU: i32, maxV: i32, u: i32, v: i32): v128 {
  const x = max(0, min(u, maxU));
  const y = max(0, min(v, maxV));
  const at = layer + (y >> 16) * stride + ((x >> 16) << 2);
  const top = i16x8.shl(v128.load_ext<u8>(at), 7);
  const bottom = i16x8.shl(v128.load_ext<u8>(at + stride), 7);
  const column = i16x8.add(top, i16x8.q15mulr_sat_s(i16x8.sub(bottom, top), i16x8.splat(<i16>((y & 0xffff) >> 1))));
  const right = v128.shuffle<u64>(column, column, 1, 1);
  return i16x8.add(column, i16x8.q15mulr_sat_s(i16x8.sub(right, column), i16x8.splat(<i16>((x & 0xffff) >> 1))));
}

/** Multiplies the luma of two neighbouring pixels by their gains (Q14). The other channels stay. */
// @ts-expect-error: decorator
@inline
function gained(pair: v128, first: i32, second: i32): v128 {
  const gains = i16x8.replace_lane(i16x8.replace_lane(i16x8.splat(16384), 0, <i16>first), 4, <i16>second);
  const half = i16x8.q15mulr_sat_s(pair, gains);
  return i16x8.add_sat_s(half, half);
}

// @ts-expect-error: decorator
@inline
function between(above: i32, below: i32, row: i32): i32 {
  return above + (((below - above) * row) >> 3);
}

// Values that stay the same for a whole call. As globals they need not be passed through the pixel loop as twenty
// parameters.
let subjectLayer: usize = 0;
let subjectStride: i32 = 0;
let subjectMaxU: i32 = 0;
let subjectMaxV: i32 = 0;
let plateLayer: usize = 0;
let plateStride: i32 = 0;
let plateMaxU: i32 = 0;
let plateMaxV: i32 = 0;
let plateDu: i32 = 0;
let plateDv: i32 = 0;

/** Two neighbouring finished pixels: luma (with its offset), U, V in lanes 0 to 2 and 4 to 6, as whole levels. */
// @ts-expect-error: decorator
@inline
function compose(kind: i32, u: i32, v: i32, du: i32, dv: i32, gain: i32, gainStep: i32, pu: i32, pv: i32, plateGain: i32, plateGainStep: i32): v128 {
  let over: v128 = i16x8.splat(0);
  let through: v128 = i16x8.splat(32767);
  let isSolid = false;
  if (kind != 0) {
    over = v128.shuffle<u64>(
      sample(subjectLayer, subjectStride, subjectMaxU, subjectMaxV, u, v),
      sample(subjectLayer, subjectStride, subjectMaxU, subjectMaxV, u + du, v + dv), 0, 2);
    isSolid = kind == 2;
    if (!isSolid) {
      const clear = i16x8.sub(i16x8.splat(32640), v128.shuffle<u16>(over, over, 3, 3, 3, 3, 7, 7, 7, 7));
      // Scaled so that fully transparent is exactly one (32767) in Q15.
      through = i16x8.add(clear, i16x8.shr_u(clear, 8));
      isSolid = !v128.any_true(i16x8.shr_u(clear, 6));
    }
    over = gained(over, gain, gain + gainStep);
  }
  if (!isSolid) {
    const under = v128.shuffle<u64>(
      sample(plateLayer, plateStride, plateMaxU, plateMaxV, pu, pv),
      sample(plateLayer, plateStride, plateMaxU, plateMaxV, pu + plateDu, pv + plateDv), 0, 2);
    over = i16x8.add_sat_s(over, i16x8.q15mulr_sat_s(gained(under, plateGain, plateGain + plateGainStep), through));
  }
  // Up to here luma has no offset of 16. The upper limit is white (235).
  const limited = i16x8.min_s(over, i16x8(28032, 32640, 32640, 32640, 28032, 32640, 32640, 32640));
  return i16x8.shr_s(i16x8.add_sat_s(limited, i16x8(2112, 64, 64, 64, 2112, 64, 64, 64)), 7);
}

/**
 * Renders the cell rows [fromCellRow, toCellRow) of one frame.
 * `cells` holds one byte a cell: 0 the plate alone, 1 both layers, 2 the subject alone.
 * The plate lies under the frame by the affine map (pa pb pc / pd pe pf), in plate pixels.
 */
export function render(
  grid: usize, cells: usize, frame: usize, width: i32, height: i32, fromCellRow: i32, toCellRow: i32,
  subject: usize, subjectWidth: i32, subjectHeight: i32, plate: usize, plateWidth: i32, plateHeight: i32,
  pa: f64, pb: f64, pc: f64, pd: f64, pe: f64, pf: f64,
): void {
  const columns = width / CELL;
  const nodeStride = (columns + 1) * NODE_BYTES;
  const chromaWidth = width >> 1;
  const planeU = frame + width * height;
  const planeV = planeU + chromaWidth * (height >> 1);
  subjectLayer = subject; subjectStride = subjectWidth << 2;
  subjectMaxU = ((subjectWidth - 2) << 16) | 0xffff; subjectMaxV = ((subjectHeight - 2) << 16) | 0xffff;
  plateLayer = plate; plateStride = plateWidth << 2;
  plateMaxU = ((plateWidth - 2) << 16) | 0xffff; plateMaxV = ((plateHeight - 2) << 16) | 0xffff;
  plateDu = <i32>Math.round(pa * 65536.0); plateDv = <i32>Math.round(pd * 65536.0);
  const plateDownU = <i32>Math.round(pb * 65536.0), plateDownV = <i32>Math.round(pe * 65536.0);

  for (let cellRow = fromCellRow; cellRow < toCellRow; cellRow++) {
    for (let cellColumn = 0; cellColumn < columns; cellColumn++) {
      const kind = <i32>load<u8>(cells + cellRow * columns + cellColumn);
      const a = grid + cellRow * nodeStride + cellColumn * NODE_BYTES, b = a + nodeStride;
      const x = cellColumn * CELL;
      // Two lines at a time, because they share their chroma.
      for (let row = 0; row < CELL; row += 2) {
        const y = cellRow * CELL + row;
        let u0 = between(load<i32>(a), load<i32>(b), row), u1 = between(load<i32>(a), load<i32>(b), row + 1);
        const du0 = (between(load<i32>(a, 16), load<i32>(b, 16), row) - u0) >> 3, du1 = (between(load<i32>(a, 16), load<i32>(b, 16), row + 1) - u1) >> 3;
        let v0 = between(load<i32>(a, 4), load<i32>(b, 4), row), v1 = between(load<i32>(a, 4), load<i32>(b, 4), row + 1);
        const dv0 = (between(load<i32>(a, 20), load<i32>(b, 20), row) - v0) >> 3, dv1 = (between(load<i32>(a, 20), load<i32>(b, 20), row + 1) - v1) >> 3;
        // Gains change so slowly that both lines can share them.
        let gain = between(load<i32>(a, 8), load<i32>(b, 8), row);
        const gainStep = (between(load<i32>(a, 24), load<i32>(b, 24), row) - gain) >> 3;
        let plateGain = between(load<i32>(a, 12), load<i32>(b, 12), row);
        const plateGainStep = (between(load<i32>(a, 28), load<i32>(b, 28), row) - plateGain) >> 3;
        let pu = <i32>((pa * <f64>x + pb * <f64>y + pc) * 65536.0), pv = <i32>((pd * <f64>x + pe * <f64>y + pf) * 65536.0);
        let at = frame + y * width + x;
        let chromaAt = (y >> 1) * chromaWidth + (x >> 1);
        for (let pair = 0; pair < 4; pair++) {
          const upper = compose(kind, u0, v0, du0, dv0, gain, gainStep, pu, pv, plateGain, plateGainStep);
          const lower = compose(kind, u1, v1, du1, dv1, gain, gainStep, pu + plateDownU, pv + plateDownV, plateGain, plateGainStep);
          store<u8>(at, <u8>i16x8.extract_lane_s(upper, 0));
          store<u8>(at, <u8>i16x8.extract_lane_s(upper, 4), 1);
          store<u8>(at + width, <u8>i16x8.extract_lane_s(lower, 0));
          store<u8>(at + width, <u8>i16x8.extract_lane_s(lower, 4), 1);
          const sum = i16x8.add(upper, lower);
          const chroma = i16x8.shr_s(i16x8.add(i16x8.add(sum, v128.shuffle<u64>(sum, sum, 1, 0)), i16x8.splat(2)), 2);
          store<u8>(planeU + chromaAt, <u8>i16x8.extract_lane_s(chroma, 1));
          store<u8>(planeV + chromaAt, <u8>i16x8.extract_lane_s(chroma, 2));
          u0 += du0 << 1; v0 += dv0 << 1; u1 += du1 << 1; v1 += dv1 << 1;
          gain += gainStep << 1; plateGain += plateGainStep << 1;
          pu += plateDu << 1; pv += plateDv << 1;
          at += 2; chromaAt++;
        }
      }
    }
  }
}

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

/** Bilinear sample of a packed layer; lanes 0 to 3 of the answer hold the four channels. */
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

/** Multiplies the luma of two neighbouring pixels by their gains (Q14); the other channels stay. */
// @ts-expect-error: decorator
@inline
function gained(pair: v128, first: i32, second: i32): v128 {
  const gains = i16x8.replace_lane(i16x8.replace_lane(i16x8.splat(16384), 0, <i16>first), 4, <i16>second);
  const half = i16x8.q15mulr_sat_s(pair, gains);
  return i16x8.add_sat_s(half, half);
}

// One row of the cell at hand, set by `startRow`: the current position in both layers, and the steps to the right.
let u: i32 = 0;
let v: i32 = 0;
let du: i32 = 0;
let dv: i32 = 0;
let subjectGain: i32 = 0;
let subjectGainStep: i32 = 0;
let plateGain: i32 = 0;
let plateGainStep: i32 = 0;

// @ts-expect-error: decorator
@inline
function between(above: i32, below: i32, row: i32): i32 {
  return above + (((below - above) * row) >> 3);
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
  const subjectStride = subjectWidth << 2, plateStride = plateWidth << 2;
  const subjectMaxU = ((subjectWidth - 2) << 16) | 0xffff, subjectMaxV = ((subjectHeight - 2) << 16) | 0xffff;
  const plateMaxU = ((plateWidth - 2) << 16) | 0xffff, plateMaxV = ((plateHeight - 2) << 16) | 0xffff;
  const plateDu = <i32>Math.round(pa * 65536.0), plateDv = <i32>Math.round(pd * 65536.0);
  // Luma is kept without its offset of 16 until here; the upper limit is white (235).
  const limit = i16x8(28032, 32640, 32640, 32640, 28032, 32640, 32640, 32640);
  const offset = i16x8(2048 + 64, 64, 64, 64, 2048 + 64, 64, 64, 64);
  const opaque = i16x8.splat(32640);

  for (let cellRow = fromCellRow; cellRow < toCellRow; cellRow++) {
    for (let cellColumn = 0; cellColumn < columns; cellColumn++) {
      const kind = <i32>load<u8>(cells + cellRow * columns + cellColumn);
      const n00 = grid + cellRow * nodeStride + cellColumn * NODE_BYTES;
      const n10 = n00 + nodeStride;
      for (let row = 0; row < CELL; row += 2) {
        const y = cellRow * CELL + row;
        const x0 = cellColumn * CELL;
        for (let quad = 0; quad < 4; quad++) {
          let upper: v128 = i16x8.splat(0);
          for (let line = 0; line < 2; line++) {
            const r = row + line;
            if (quad == 0) {
              // Kept in locals by the compiler's inlining below; stored per line because both lines advance.
            }
            const step = quad << 1;
            u = between(load<i32>(n00), load<i32>(n10), r);
            du = (between(load<i32>(n00, 16), load<i32>(n10, 16), r) - u) >> 3;
            v = between(load<i32>(n00, 4), load<i32>(n10, 4), r);
            dv = (between(load<i32>(n00, 20), load<i32>(n10, 20), r) - v) >> 3;
            u += du * step; v += dv * step;
            let over: v128 = i16x8.splat(0);
            let through: v128 = i16x8.splat(32767);
            let solid = false;
            if (kind != 0) {
              subjectGain = between(load<i32>(n00, 8), load<i32>(n10, 8), r);
              subjectGainStep = between(load<i32>(n00, 24), load<i32>(n10, 24), r) - subjectGain;
              over = v128.shuffle<u64>(
                sample(subject, subjectStride, subjectMaxU, subjectMaxV, u, v),
                sample(subject, subjectStride, subjectMaxU, subjectMaxV, u + du, v + dv), 0, 2);
              const clear = i16x8.sub(opaque, v128.shuffle<u16>(over, over, 3, 3, 3, 3, 7, 7, 7, 7));
              through = i16x8.add(clear, i16x8.shr_u(clear, 8));
              solid = kind == 2 || !v128.any_true(i16x8.shr_u(clear, 6));
              over = gained(over, subjectGain + ((subjectGainStep * step) >> 3), subjectGain + ((subjectGainStep * (step + 1)) >> 3));
            }
            if (!solid) {
              plateGain = between(load<i32>(n00, 12), load<i32>(n10, 12), r);
              plateGainStep = between(load<i32>(n00, 28), load<i32>(n10, 28), r) - plateGain;
              const px = x0 + step, py = y + line;
              const pu = <i32>((pa * <f64>px + pb * <f64>py + pc) * 65536.0);
              const pv = <i32>((pd * <f64>px + pe * <f64>py + pf) * 65536.0);
              let under = v128.shuffle<u64>(
                sample(plate, plateStride, plateMaxU, plateMaxV, pu, pv),
                sample(plate, plateStride, plateMaxU, plateMaxV, pu + plateDu, pv + plateDv), 0, 2);
              under = gained(under, plateGain + ((plateGainStep * step) >> 3), plateGain + ((plateGainStep * (step + 1)) >> 3));
              over = i16x8.add_sat_s(over, i16x8.q15mulr_sat_s(under, through));
            }
            over = i16x8.shr_s(i16x8.add_sat_s(i16x8.min_s(over, limit), offset), 7);
            const at = frame + (y + line) * width + x0 + step;
            store<u8>(at, <u8>i16x8.extract_lane_s(over, 0));
            store<u8>(at, <u8>i16x8.extract_lane_s(over, 4), 1);
            if (line == 0) upper = over;
            else {
              const sum = i16x8.add(upper, over);
              const chroma = i16x8.shr_s(i16x8.add(i16x8.add(sum, v128.shuffle<u64>(sum, sum, 1, 0)), i16x8.splat(2)), 2);
              const c = (y >> 1) * chromaWidth + ((x0 + step) >> 1);
              store<u8>(planeU + c, <u8>i16x8.extract_lane_s(chroma, 1));
              store<u8>(planeV + c, <u8>i16x8.extract_lane_s(chroma, 2));
            }
          }
        }
      }
    }
  }
}

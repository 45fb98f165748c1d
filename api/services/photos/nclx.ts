/** Colours of a HEIF file without a profile, in the numbers of ITU-T H.273. */
export interface Nclx {
  primaries: number;
  transfer: number;
}

const PQ = 16;
const HLG = 18;

/** From linear light in these primaries to linear light in those of sRGB. Both have the white D65. */
const TO_SRGB: Record<number, readonly number[]> = {
  /** BT.2020 */
  9: [1.660491, -0.587641, -0.07285, -0.12455, 1.1329, -0.008349, -0.018151, -0.100579, 1.11873],
  /** Display P3 */
  12: [1.22494, -0.22494, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274],
};
const UNCHANGED = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;

/** Luminance of white paper in pictures of a high range, in cd/m² (ITU-R BT.2408). It becomes the white of sRGB. */
const PAPER_WHITE = 203;
/** Fine enough for the darkest steps of sRGB. */
const ENCODED_STEPS = 16_383;

/** Whether the picture has brighter lights than white paper, for which 8 bits are too coarse. */
export function hasHighRange({ transfer }: Nclx): boolean {
  return transfer === PQ || transfer === HLG;
}

/** Whether a reader that takes the picture for sRGB shows wrong colours. */
export function differsFromSrgb(nclx: Nclx): boolean {
  return nclx.primaries in TO_SRGB || hasHighRange(nclx);
}

/**
 * Converts interleaved pixels to sRGB of 8 bits. Of four channels the last is alpha. `maxValue`: the value of full
 * light. Lights brighter than white paper become white.
 */
export function convertToSrgb(
  pixels: Uint8Array | Uint16Array,
  { channels, maxValue, nclx }: { channels: 3 | 4; maxValue: number; nclx: Nclx },
): Uint8Array<ArrayBuffer> {
  const light = Float32Array.from({ length: maxValue + 1 }, (_, value) => toLight(value / maxValue, nclx.transfer));
  const encoded = Uint8Array.from({ length: ENCODED_STEPS + 1 }, (_, step) => encodeSrgb(step / ENCODED_STEPS));
  const [rr = 1, rg = 0, rb = 0, gr = 0, gg = 1, gb = 0, br = 0, bg = 0, bb = 1] = TO_SRGB[nclx.primaries] ?? UNCHANGED;
  const encode = (value: number) => encoded[Math.round(Math.min(1, Math.max(0, value)) * ENCODED_STEPS)] as number;
  const converted = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += channels) {
    const r = light[pixels[at] as number] as number;
    const g = light[pixels[at + 1] as number] as number;
    const b = light[pixels[at + 2] as number] as number;
    converted[at] = encode(rr * r + rg * g + rb * b);
    converted[at + 1] = encode(gr * r + gg * g + gb * b);
    converted[at + 2] = encode(br * r + bg * g + bb * b);
    if (channels === 4) converted[at + 3] = Math.round(((pixels[at + 3] as number) / maxValue) * 255);
  }
  return converted;
}

function toLight(value: number, transfer: number): number {
  if (transfer === PQ) return (10_000 * decodePq(value)) / PAPER_WHITE;
  // A screen of 1000 cd/m² shows the light of the scene with an exponent of 1.2 (ITU-R BT.2100).
  if (transfer === HLG) return (1000 * decodeHlg(value) ** 1.2) / PAPER_WHITE;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** SMPTE ST 2084. */
function decodePq(value: number): number {
  const power = value ** (32 / 2523);
  return (Math.max(power - 3424 / 4096, 0) / (2413 / 128 - (2392 / 128) * power)) ** (16_384 / 2610);
}

/** The light of the scene (ITU-R BT.2100). */
function decodeHlg(value: number): number {
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;
}

function encodeSrgb(light: number): number {
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
}

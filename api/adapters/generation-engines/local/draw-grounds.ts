import sharp from 'sharp';
import type { RgbImage } from './pixel-image.ts';
import type { FrameSize } from './scene.ts';

type Colour = readonly [number, number, number];

/** A paper sweep: wall and floor of one colour that run into each other. */
export interface SweepColours {
  wall: Colour;
  floor: Colour;
}

/** Chosen against the product's brightness (0 to 255), so that a white shirt does not vanish on white paper. */
export function chooseSweep(productLuma: number): { front: SweepColours; turned: SweepColours } {
  return productLuma > 185
    ? {
        front: { wall: [203, 198, 191], floor: [218, 214, 208] },
        turned: { wall: [176, 184, 190], floor: [196, 203, 208] },
      }
    : {
        front: { wall: [233, 232, 230], floor: [245, 244, 242] },
        turned: { wall: [221, 214, 205], floor: [236, 231, 224] },
      };
}

/** Where wall turns into floor, and over what part of the height. */
const BEND = { from: 0.7, to: 0.84 };
const CORNER_FALL = 0.13;
/** Grain that keeps eight bits from showing steps in so slow a gradient, in levels to either side. */
const GRAIN = 1.1;

/** Draws a sweep lit from above on the left. */
export function drawSweep({ width, height }: FrameSize, { wall, floor }: SweepColours): RgbImage {
  const data = new Uint8Array(width * height * 3);
  const grain = createGrain();
  for (let y = 0; y < height; y++) {
    const v = y / height;
    const bend = smoothStep((v - BEND.from) / (BEND.to - BEND.from));
    for (let x = 0; x < width; x++) {
      const u = x / width;
      const far = Math.hypot((u - 0.42) / 0.9, (v - 0.34) / 1.05);
      const light = 1 + 0.035 - CORNER_FALL * Math.min(1, far * far);
      const noise = grain();
      for (let c = 0; c < 3; c++) {
        const colour = wall[c]! + (floor[c]! - wall[c]!) * bend;
        data[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, colour * light + noise + 0.5));
      }
    }
  }
  return { width, height, data };
}

/**
 * Draws a room: a plaster wall with an arched niche, a low step and light that falls in slantwise. `isPale`: for
 * products that would be lost before light plaster.
 */
export async function drawArchScene({ width, height }: FrameSize, isPale: boolean): Promise<RgbImage> {
  const [wall, niche, nicheDeep, floor, light] = isPale
    ? ['#a46c53', '#7d4b38', '#5c3527', '#b98670', '#ffdcb8']
    : ['#e4c9b1', '#c99c7e', '#9c6f54', '#ecdccb', '#fff3dc'];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1200" width="${width}" height="${height}">
    <defs>
      <linearGradient id="w" x2=".4" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".16"/><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".14"/></linearGradient>
      <linearGradient id="n" x2="1" y2=".25"><stop offset="0" stop-color="${nicheDeep}"/><stop offset=".3" stop-color="${niche}"/><stop offset="1" stop-color="${niche}"/></linearGradient>
      <linearGradient id="f" y2="1" x2="0"><stop offset="0" stop-opacity=".2"/><stop offset=".16" stop-opacity=".03"/><stop offset="1" stop-color="#fff" stop-opacity=".12"/></linearGradient>
      <filter id="s" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="9"/></filter>
      <filter id="l" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="14"/></filter>
      <clipPath id="a"><path d="M170 960V470a280 280 0 0 1 560 0v490z"/></clipPath>
    </defs>
    <rect width="900" height="1200" fill="${wall}"/><rect width="900" height="960" fill="url(#w)"/>
    <path d="M170 960V470a280 280 0 0 1 560 0v490z" fill="url(#n)"/>
    <g clip-path="url(#a)">
      <path d="M150 980V470a300 300 0 0 1 600 0v-330H150z" fill="none" stroke="#2b1408" stroke-opacity=".36" stroke-width="46" filter="url(#s)"/>
      <path d="M160 980V470a290 290 0 0 1 300-288" fill="none" stroke="#2b1408" stroke-opacity=".28" stroke-width="40" filter="url(#s)"/>
    </g>
    <path d="M730 960V470a280 280 0 0 0-70-186" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="5"/>
    <path d="M0 240L900 620V900L0 520z" fill="${light}" opacity=".42" filter="url(#l)"/>
    <path d="M0 600L900 980v70L0 670z" fill="${light}" opacity=".34" filter="url(#l)"/>
    <rect y="960" width="900" height="240" fill="${floor}"/><rect y="960" width="900" height="240" fill="url(#f)"/>
    <path d="M0 960h900" stroke="#2b1408" stroke-opacity=".18" stroke-width="3"/>
  </svg>`;
  const drawn = await sharp(Buffer.from(svg)).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const grain = createGrain();
  const data = new Uint8Array(drawn.length);
  for (let at = 0; at < data.length; at += 3) {
    const noise = grain();
    for (let c = 0; c < 3; c++) data[at + c] = Math.max(0, Math.min(255, drawn[at + c]! + noise + 0.5));
  }
  return { width, height, data };
}

function smoothStep(share: number): number {
  const x = Math.min(1, Math.max(0, share));
  return x * x * (3 - 2 * x);
}

/** The same noise every time: the same order gives the same picture. */
function createGrain(): () => number {
  let state = 0x2545f491;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) / 0x100000000 - 0.5) * 2 * GRAIN;
  };
}

import sharp from 'sharp';
import type { FrameSize, RgbImage } from '#api/imaging/pixel-image.ts';
import { type PoseGround, ROOM_FLOORS } from './pose-plan.ts';
import type { Support } from './subject-layout.ts';

type Colour = readonly [number, number, number];

/**
 * Draws the ground of a pose. The ground contrasts with the subject's mean colour, so that a white shirt stays visible
 * on paper. A drawn room has a floor only under a standing subject. Behind a hanging one, the floor's edge would show.
 */
export async function drawPoseGround(
  ground: PoseGround,
  frame: FrameSize,
  [red, green, blue]: Colour,
  support: Support,
): Promise<RgbImage> {
  const isPale = (red + green + blue) / 3 > PALE;
  const hasFloor = support === 'floor';
  switch (ground) {
    case 'front':
    case 'turned':
      return drawSweep(frame, SWEEPS[isPale ? 'pale' : 'other'][ground]);
    case 'arch':
      return drawRoom(frame, archRoom(isPale, hasFloor));
    case 'window':
      return drawRoom(frame, windowRoom(isPale, hasFloor));
    case 'disc':
      return drawRoom(frame, discRoom(isPale, red >= blue, hasFloor));
  }
}

/** Mean brightness from which a product gets lost on light grounds, 0 to 255. */
const PALE = 185;

/** A paper sweep: wall and floor of one colour with a seamless transition. */
interface SweepColours {
  wall: Colour;
  floor: Colour;
}

const SWEEPS: Record<'pale' | 'other', Record<'front' | 'turned', SweepColours>> = {
  pale: {
    front: { wall: [203, 198, 191], floor: [218, 214, 208] },
    turned: { wall: [176, 184, 190], floor: [196, 203, 208] },
  },
  other: {
    front: { wall: [233, 232, 230], floor: [245, 244, 242] },
    turned: { wall: [221, 214, 205], floor: [236, 231, 224] },
  },
};

/** Where the wall bends into the floor, as shares of the height. */
const BEND = { from: 0.7, to: 0.84 };
const CORNER_FALL = 0.13;
/** Amplitude of the grain, in levels. It keeps the slow gradient from showing steps in eight bits. */
const GRAIN = 1.1;

function drawSweep({ width, height }: FrameSize, { wall, floor }: SweepColours): RgbImage {
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

/** A plaster wall with an arched niche, a low step and slanting light. */
function archRoom(isPale: boolean, hasFloor: boolean): string {
  const [wall, niche, nicheDeep, floor, light] = isPale
    ? ['#a46c53', '#7d4b38', '#5c3527', '#b98670', '#ffdcb8']
    : ['#e4c9b1', '#c99c7e', '#9c6f54', '#ecdccb', '#fff3dc'];
  const foot = hasFloor ? ROOM_FLOORS.arch * 1200 : 1240;
  return `
    <defs>
      <linearGradient id="w" x2=".4" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".16"/><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".14"/></linearGradient>
      <linearGradient id="n" x2="1" y2=".25"><stop offset="0" stop-color="${nicheDeep}"/><stop offset=".3" stop-color="${niche}"/><stop offset="1" stop-color="${niche}"/></linearGradient>
      <filter id="s" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="9"/></filter>
      <filter id="l" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="14"/></filter>
      <clipPath id="a"><path d="M170 ${foot}V470a280 280 0 0 1 560 0v${foot - 470}z"/></clipPath>
    </defs>
    <rect width="900" height="1200" fill="${wall}"/><rect width="900" height="${foot}" fill="url(#w)"/>
    <path d="M170 ${foot}V470a280 280 0 0 1 560 0v${foot - 470}z" fill="url(#n)"/>
    <g clip-path="url(#a)">
      <path d="M150 ${foot + 20}V470a300 300 0 0 1 600 0v-330H150z" fill="none" stroke="#2b1408" stroke-opacity=".36" stroke-width="46" filter="url(#s)"/>
      <path d="M160 ${foot + 20}V470a290 290 0 0 1 300-288" fill="none" stroke="#2b1408" stroke-opacity=".28" stroke-width="40" filter="url(#s)"/>
    </g>
    <path d="M730 ${foot}V470a280 280 0 0 0-70-186" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="5"/>
    <path d="M0 240L900 620V900L0 520z" fill="${light}" opacity=".42" filter="url(#l)"/>
    <path d="M0 600L900 980v70L0 670z" fill="${light}" opacity=".34" filter="url(#l)"/>
    ${hasFloor ? floorFrom(foot, floor, '#2b1408') : ''}`;
}

/** A smooth wall with the light of a window on it and the soft shadow of its bars. */
function windowRoom(isPale: boolean, hasFloor: boolean): string {
  const [wall, shade, floor, light] = isPale
    ? ['#7f8a86', '#414c4a', '#949e9a', '#d9d4b8']
    : ['#d0d6cf', '#6f7b74', '#dee2db', '#fffdf2'];
  const panes = [0, 1, 2].flatMap((row) => [0, 1].map((column) => paneAt(column, row)));
  const foot = hasFloor ? ROOM_FLOORS.window * 1200 : 1200;
  return `
    <defs>
      <linearGradient id="w" x2="1" y2=".7"><stop offset="0" stop-color="${shade}" stop-opacity=".34"/><stop offset=".5" stop-color="${shade}" stop-opacity=".1"/><stop offset="1" stop-color="${shade}" stop-opacity=".3"/></linearGradient>
      <filter id="p" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="10"/></filter>
      <clipPath id="a"><path d="M0 0h900v${foot}H0z"/></clipPath>
    </defs>
    <rect width="900" height="1200" fill="${wall}"/><rect width="900" height="1200" fill="url(#w)"/>
    <g clip-path="url(#a)"><g fill="${light}" opacity=".66" filter="url(#p)">${panes.join('')}</g></g>
    ${hasFloor ? floorFrom(foot, floor, shade) : ''}`;
}

/** One pane of the window's light, slanted because the sun shines from the upper left. */
function paneAt(column: number, row: number): string {
  const left = 250 + column * 318;
  const top = -130 + row * 398 + column * 110;
  return `<path d="M${left} ${top}l284 98v358l-284-98z"/>`;
}

/**
 * Coloured paper with a large disc of another tone, lit from above. Cool behind warm products and warm behind cool
 * ones.
 */
function discRoom(isPale: boolean, isWarm: boolean, hasFloor: boolean): string {
  const [wall, disc, floor] = isPale
    ? isWarm
      ? ['#5f7480', '#7c929d', '#6d828d']
      : ['#9a6f63', '#b58d80', '#a87d70']
    : isWarm
      ? ['#c3d1d4', '#e2eaea', '#d2dddf']
      : ['#e6c7b8', '#f4e2d6', '#eed5c7'];
  return `
    <defs>
      <radialGradient id="w" cx=".38" cy=".3" r=".95"><stop offset="0" stop-color="#fff" stop-opacity=".2"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".2"/></radialGradient>
      <linearGradient id="d" x2=".5" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".22"/><stop offset="1" stop-opacity=".07"/></linearGradient>
      <filter id="s" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="16"/></filter>
    </defs>
    <rect width="900" height="1200" fill="${wall}"/>
    <circle cx="572" cy="456" r="420" opacity=".2" filter="url(#s)"/>
    <circle cx="560" cy="440" r="420" fill="${disc}"/><circle cx="560" cy="440" r="420" fill="url(#d)"/>
    ${hasFloor ? floorFrom(ROOM_FLOORS.disc * 1200, floor, '#000') : ''}
    <rect width="900" height="1200" fill="url(#w)"/>`;
}

function floorFrom(y: number, colour: string, line: string): string {
  return `<linearGradient id="f" y2="1" x2="0"><stop offset="0" stop-opacity=".2"/><stop offset=".16" stop-opacity=".03"/><stop offset="1" stop-color="#fff" stop-opacity=".12"/></linearGradient>
    <rect y="${y}" width="900" height="${1200 - y}" fill="${colour}"/><rect y="${y}" width="900" height="${1200 - y}" fill="url(#f)"/>
    <path d="M0 ${y}h900" stroke="${line}" stroke-opacity=".18" stroke-width="3"/>`;
}

/** Draws a room that is designed on a canvas of 900 x 1200. */
async function drawRoom({ width, height }: FrameSize, room: string): Promise<RgbImage> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1200" width="${width}" height="${height}">${room}</svg>`;
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

/** Always the same noise, so that the same order gives the same picture. */
function createGrain(): () => number {
  let state = 0x2545f491;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) / 0x100000000 - 0.5) * 2 * GRAIN;
  };
}

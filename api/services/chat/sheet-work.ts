import sharp from 'sharp';

const TILE = { width: 240, height: 320 };
const GAP = 6;
const PAPER = '#f4f0e8';
const JPEG_QUALITY = 82;
/** Strokes of the digits on a 4 by 6 grid, because the server may have no font. */
const DIGITS = [
  'M0 1.5Q0 0 2 0T4 1.5V4.5Q4 6 2 6T0 4.5Z',
  'M.5 1.5 2.2 0V6',
  'M.2 1.6Q.3 0 2 0T3.8 1.6Q3.8 2.8 0 6H4',
  'M.3 0H3.8L1.7 2.4Q4 2.4 4 4.2T2 6Q.6 6 .1 4.9',
  'M3 6V0L0 4.2H4',
  'M3.7 0H.7L.4 2.6Q1 2.2 2 2.2 4 2.2 4 4.1T2 6Q.6 6 .1 5',
  'M3.2 0Q.1 2 .1 4.2 .1 6 2 6T3.9 4.2Q3.9 2.5 2.1 2.5 .8 2.5 .2 3.6',
  'M.1 0H3.9L1.6 6',
  'M2 2.8Q.3 2.8 .3 1.4T2 0 3.7 1.4 2 2.8Q0 2.8 0 4.4T2 6 4 4.4 2 2.8',
  'M.8 6Q3.9 4 3.9 1.8 3.9 0 2 0T.1 1.8Q.1 3.5 1.9 3.5 3.2 3.5 3.8 2.4',
];
const CELL_PX = 360;
const CELL_GAP_PX = 12;
const CROPS_IN_A_ROW = 2;

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

export async function drawCatalogueSheet({
  pictures,
  columns,
  firstNumber,
}: {
  pictures: readonly Buffer[];
  columns: number;
  firstNumber: number | null;
}): Promise<Buffer> {
  const rows = Math.ceil(pictures.length / columns);
  const tiles = pictures.map(async (picture, index) => {
    const tile = sharp(picture).resize({ ...TILE, fit: 'cover' });
    if (firstNumber !== null) tile.composite([{ input: drawNumber(firstNumber + index), left: 8, top: 8 }]);
    return {
      input: await tile.png().toBuffer(),
      left: (index % columns) * (TILE.width + GAP),
      top: Math.floor(index / columns) * (TILE.height + GAP),
    };
  });
  const [width, height] = [columns * (TILE.width + GAP) - GAP, rows * (TILE.height + GAP) - GAP];
  return sharp({ create: { width, height, channels: 3, background: PAPER } })
    .composite(await Promise.all(tiles))
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

/** White on a dark pill, so that it is readable on any picture. */
function drawNumber(number: number): Buffer {
  const digits = [...String(number)].map(Number);
  const [scale, side, step] = [3.6, 42, 21];
  const width = side + (digits.length - 1) * step;
  const paths = digits.map((digit, index) => {
    const left = side / 2 - 2 * scale + index * step;
    return `<path transform="translate(${left} ${side / 2 - 3 * scale}) scale(${scale})" d="${DIGITS[digit]}"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${side}">
      <rect width="${width}" height="${side}" rx="${side / 2}" fill="#191715" fill-opacity=".78"/>
      <g fill="none" stroke="#fff" stroke-width=".95" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>
    </svg>`,
  );
}

export async function drawDriftSheet(rows: readonly (readonly Buffer[])[]): Promise<Buffer> {
  const cells = rows.flatMap((crops, row) => crops.map((crop, column) => ({ crop, row, column })));
  const composites = await Promise.all(
    cells.map(async ({ crop, row, column }) => ({
      input: await sharp(crop).resize(CELL_PX, CELL_PX, { fit: 'contain', background: '#ffffff' }).png().toBuffer(),
      left: CELL_GAP_PX + column * (CELL_PX + CELL_GAP_PX),
      top: CELL_GAP_PX + row * (CELL_PX + CELL_GAP_PX),
    })),
  );
  const lengthOf = (count: number) => CELL_GAP_PX + count * (CELL_PX + CELL_GAP_PX);
  const size = { width: lengthOf(CROPS_IN_A_ROW), height: lengthOf(rows.length) };
  return sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite(composites)
    .jpeg({ quality: 88 })
    .toBuffer();
}

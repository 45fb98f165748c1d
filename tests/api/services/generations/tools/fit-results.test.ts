import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { fitPicture } from '#api/services/generations/results/picture-work.ts';

const BLUE = { r: 30, g: 60, b: 160 };

/** A blue picture with a white square in its middle, a quarter as wide as the shorter side. */
async function drawSquare(width: number, height: number): Promise<Buffer> {
  const side = Math.round(Math.min(width, height) / 4);
  const square = await sharp({ create: { width: side, height: side, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: BLUE } })
    .composite([{ input: square, gravity: 'centre' }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Width and height of the white square, in pixels. */
async function measureSquare(picture: Buffer): Promise<{ width: number; height: number }> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const isWhite = (x: number, y: number) => (data[y * info.width + x] ?? 0) > 150;
  const middle = { x: Math.floor(info.width / 2), y: Math.floor(info.height / 2) };
  const columns = Array.from({ length: info.width }, (_, x) => x).filter((x) => isWhite(x, middle.y));
  const rows = Array.from({ length: info.height }, (_, y) => y).filter((y) => isWhite(middle.x, y));
  return { width: columns.length, height: rows.length };
}

describe('a picture of an engine', () => {
  test('that is a card already stays byte for byte', async () => {
    const card = await drawSquare(900, 1200);
    expect(await fitPicture(card)).toBe(card);
  });

  test.each([
    ['small, of nearly the ratio of a card', 864, 1184, 1200, 1600],
    ['large, a little too wide', 1500, 1900, 1425, 1900],
    ['large, a little too high', 1200, 1700, 1200, 1600],
    ['square', 1600, 1600, 1600, 2133],
    ['wide', 1024, 768, 1024, 1365],
    ['wide and small', 800, 600, 1200, 1600],
    ['very high', 900, 2400, 1800, 2400],
  ])('that is %s becomes a card and is not stretched', async (_, width, height, cardWidth, cardHeight) => {
    const card = await fitPicture(await drawSquare(width, height));
    expect(await sharp(card).metadata()).toMatchObject({ format: 'jpeg', width: cardWidth, height: cardHeight });
    const square = await measureSquare(card);
    expect(Math.abs(square.width - square.height)).toBeLessThanOrEqual(3);
  });

  test('of quite another ratio keeps everything and is padded with the colour of its edge', async () => {
    const card = await fitPicture(await drawSquare(1600, 1600));
    expect((await measureSquare(card)).width).toBeGreaterThanOrEqual(398);
    const corner = await sharp(card).extract({ left: 2, top: 2, width: 1, height: 1 }).raw().toBuffer();
    const difference = [BLUE.r, BLUE.g, BLUE.b].map((value, channel) => Math.abs(value - (corner[channel] ?? 0)));
    expect(Math.max(...difference)).toBeLessThan(6);
  });
});

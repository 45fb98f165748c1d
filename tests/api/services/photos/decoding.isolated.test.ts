import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProcessState } from '#api/services/core/process-state.ts';
import { decodePhoto } from '#api/services/photos/decoding.ts';
import { readFrame } from '#api/services/photos/photo-work.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTransparent } from '#tests/fixtures/draw-transparent-photo.ts';
import { composeAvif, composeHeic, DRAWING, type HeicPicture, nclx } from '#tests/fixtures/heic-files.ts';
import { drawJpeg, drawPlain, drawPngBomb, readTiledHeic } from '#tests/fixtures/photo-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-decoding-'));
});
afterAll(() => rm(folder, { recursive: true }));

const server = { state: createProcessState() };
let files = 0;
async function decode(content: Buffer) {
  const file = path.join(folder, String(files++));
  await writeFile(file, content);
  return decodePhoto(server, file);
}

async function readPixel(picture: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(picture).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

function expectColour(actual: number[], expected: number[]): void {
  for (const [channel, value] of expected.entries()) expect(Math.abs((actual[channel] ?? -99) - value)).toBeLessThan(6);
}

/** 400x600 pixels, red above and blue below. */
function drawTwoColours() {
  const red = { create: { width: 400, height: 300, channels: 3, background: '#dc3c3c' } } as const;
  return sharp({ create: { width: 400, height: 600, channels: 3, background: '#2850dc' } }).composite([
    { input: red, left: 0, top: 0 },
  ]);
}

describe('a photo that is taken', () => {
  test('keeps a JPEG master and WebP copies of 1080 and 320 pixels', async () => {
    const photo = await decode(await drawJpeg(1500, 2000));
    expect(photo).toMatchObject({ format: 'jpeg', width: 1500, height: 2000 });
    expect(await sharp(photo.master).metadata()).toMatchObject({
      format: 'jpeg',
      chromaSubsampling: '4:4:4',
      depth: 'uchar',
    });
    expect(await sharp(photo.preview).metadata()).toMatchObject({ format: 'webp', width: 810, height: 1080 });
    expect(await sharp(photo.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 240, height: 320 });
  });

  test('takes at most 0.6 byte a pixel, whatever it shows, and loses nothing while it is an ordinary photo', async () => {
    const side = 640;
    const drawNoise = (values: (index: number) => number) =>
      sharp(Buffer.from(Array.from({ length: side * side * 3 }, (_, index) => values(index))), {
        raw: { width: side, height: side, channels: 3 },
      });
    // A generator of our own, so that every run draws the same.
    let seed = 7;
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const hard = [drawNoise(() => next() * 255), drawNoise(() => (next() < 0.5 ? 0 : 255))];
    for (const picture of hard) {
      const { master } = await decode(await picture.png().toBuffer());
      expect(master.length / side ** 2).toBeLessThanOrEqual(0.6);
    }
    const { master } = await decode(await drawProductPhoto('garment', { width: 600, height: 800 }));
    expect((await sharp(master).metadata()).chromaSubsampling).toBe('4:4:4');
  });

  test('a small one is not enlarged', async () => {
    const photo = await decode(await drawJpeg(300, 300));
    expect(await sharp(photo.preview).metadata()).toMatchObject({ width: 300, height: 300 });
  });

  test('a large one comes down to 4096 pixels, a narrow one no further than 300', async () => {
    const large = await decode(await drawPlain(4200, 2800).jpeg().toBuffer());
    expect(await sharp(large.master).metadata()).toMatchObject({ width: 4096, height: 2731 });
    // The recorded size is that of the original photo.
    expect(large).toMatchObject({ width: 4200, height: 2800 });
    expect(await decode(await drawPlain(300, 5000).png().toBuffer())).toMatchObject({ width: 300, height: 5000 });
  });

  test('is turned the way its EXIF says and forgets where it was taken', async () => {
    const sent = await drawTwoColours()
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '55/1 45/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    expect((await sharp(sent).metadata()).exif?.toString('latin1')).toContain('Camera');
    const photo = await decode(sent);
    expect(photo).toMatchObject({ width: 600, height: 400 });
    expectColour(await readPixel(photo.master, 550, 200), [220, 60, 60]);
    expectColour(await readPixel(photo.master, 50, 200), [40, 80, 220]);
    for (const file of [photo.master, photo.preview, photo.thumbnail]) {
      const { exif, orientation, xmp, iptc } = await sharp(file).metadata();
      expect([exif, orientation, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(file.includes('Camera')).toBe(false);
    }
  });

  test('colours of a wider space come out as they look, in sRGB', async () => {
    const sent = await drawTwoColours().withIccProfile('p3').png().toBuffer();
    expectColour(await readPixel(await sharp(sent, { ignoreIcc: true }).png().toBuffer(), 200, 100), [203, 73, 67]);
    const { master } = await decode(sent);
    expectColour(await readPixel(master, 200, 100), [220, 60, 60]);
    expect((await sharp(master).metadata()).hasProfile).toBe(false);
  });

  test.each([
    ['CMYK', () => drawTwoColours().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
    ['grey', () => drawTwoColours().greyscale().jpeg().toBuffer()],
    ['16 bits', () => drawTwoColours().toColourspace('rgb16').png().toBuffer()],
    ['a palette', () => drawTwoColours().png({ palette: true }).toBuffer()],
    ['progressive', () => drawTwoColours().jpeg({ progressive: true }).toBuffer()],
  ])('%s becomes three channels of 8 bits', async (_what, draw) => {
    const { master } = await decode(await draw());
    expect(await sharp(master).metadata()).toMatchObject({ space: 'srgb', channels: 3, depth: 'uchar' });
  });

  test('what is transparent becomes white', async () => {
    const sent = await sharp({ create: { width: 400, height: 400, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const { master, preview } = await decode(sent);
    expectColour(await readPixel(master, 200, 200), [255, 255, 255]);
    expect((await sharp(preview).metadata()).hasAlpha).toBe(false);
  });

  test('of a moving WebP the first frame counts', async () => {
    const frames = ['#dc3c3c', '#2850dc'].map((background) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background } })
        .png()
        .toBuffer(),
    );
    const sent = await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ quality: 95 })
      .toBuffer();
    expect((await sharp(sent).metadata()).pages).toBe(2);
    const photo = await decode(sent);
    expect(photo).toMatchObject({ format: 'webp', width: 400, height: 300 });
    expectColour(await readPixel(photo.master, 200, 150), [220, 60, 60]);
  });

  test('a HEIC of a telephone: tiles, a turn and Display P3', async () => {
    const photo = await decode(await readTiledHeic());
    expect(photo).toMatchObject({ format: 'heic', width: 480, height: 640 });
    expectColour(await readPixel(photo.master, 60, 60), [250, 210, 40]);
    expectColour(await readPixel(photo.master, 240, 200), [220, 60, 60]);
    expectColour(await readPixel(photo.master, 240, 330), [40, 160, 90]);
    expectColour(await readPixel(photo.master, 470, 630), [200, 205, 210]);
  });
});

describe('a JPEG without its end marker', () => {
  test.each([
    ['one after another', { progressive: false }],
    ['in passes', { progressive: true }],
  ])('is taken when its rows, coded %s, are all there', async (_what, options) => {
    const whole = await drawTwoColours()
      .jpeg({ quality: 95, ...options })
      .toBuffer();
    const photo = await decode(whole.subarray(0, -2));
    expect(photo).toMatchObject({ width: 400, height: 600 });
    expectColour(await readPixel(photo.master, 200, 595), [40, 80, 220]);
    // Half of the marker.
    expect(await decode(whole.subarray(0, -1))).toMatchObject({ width: 400, height: 600 });
  });

  test('is refused when it stops in the middle, even if somebody has added a marker', async () => {
    const whole = await drawJpeg(800, 800);
    const half = whole.subarray(0, whole.length / 2);
    for (const file of [half, Buffer.concat([half, Buffer.from([0xff, 0xd9])])]) {
      await expect(decode(file)).rejects.toMatchObject({ code: 'photo_unreadable' });
    }
  });

  test('is no worse off for harmless faults: bytes before the marker, and after it', async () => {
    const whole = await drawJpeg(400, 500);
    const faulty = Buffer.concat([
      whole.subarray(0, -2),
      Buffer.from([0x12, 0x34]),
      whole.subarray(-2),
      Buffer.alloc(50),
    ]);
    expect(await decode(faulty)).toMatchObject({ width: 400, height: 500 });
  });
});

describe('a HEIC or AVIF file', () => {
  const drawing = (...properties: Buffer[]): HeicPicture => ({ ...DRAWING, properties });
  test('has the colours that it tells by numbers', async () => {
    const { master } = await decode(await composeHeic([drawing(nclx(12, 13))]));
    expectColour(await readPixel(master, 200, 240), [220, 60, 60]);
  });

  test('AVIF: has the colours that it tells by numbers, too', async () => {
    // The numbers of Display P3, as sRGB: an encoder would convert them.
    const p3 = await drawTwoColours().withIccProfile('p3').png().toBuffer();
    const plain = await sharp(p3, { ignoreIcc: true }).removeAlpha().avif({ quality: 90, effort: 0 }).toBuffer();
    const avif = composeAvif(plain, { width: 400, height: 600 }, nclx(12, 13));
    const { master, format } = await decode(avif);
    expect(format).toBe('avif');
    expectColour(await readPixel(master, 200, 100), [220, 60, 60]);
  });

  test('that needs what the decoder does not know is refused by its own name', async () => {
    const unknown = Buffer.from('\0\0\0\x08zzzz', 'latin1');
    await expect(decode(await composeHeic([drawing(unknown)]))).rejects.toMatchObject({
      code: 'photo_heic_unsupported',
    });
    const plain = await drawTwoColours().avif({ effort: 0 }).toBuffer();
    await expect(decode(composeAvif(plain, { width: 400, height: 600 }, unknown))).rejects.toMatchObject({
      code: 'photo_avif_unsupported',
    });
  });

  test('AVIF: a damaged one, a small one and one of 200 megapixels are refused for what they are', async () => {
    const draw = (width: number, height: number) => drawPlain(width, height).avif({ effort: 0 }).toBuffer();
    const whole = await draw(400, 600);
    const cut = whole.subarray(0, whole.length - 20);
    await expect(decode(cut)).rejects.toMatchObject({ code: 'photo_unreadable' });
    await expect(decode(await draw(400, 299))).rejects.toMatchObject({ code: 'photo_too_small' });
    const large = composeAvif(whole, { width: 12_240, height: 16_320 });
    await expect(decode(large)).rejects.toMatchObject({ code: 'photo_too_many_pixels' });
  });

  test('of 200 megapixels and 800 tiles is refused for its size', async () => {
    const tiles = Array<number>(800).fill(0);
    const large = await composeHeic([{ columns: 25, rows: 32, tiles, width: 12_240, height: 16_320 }]);
    await expect(decode(large)).rejects.toMatchObject({ code: 'photo_too_many_pixels' });
  });
});

describe('a photo that is refused', () => {
  test('a bomb is refused before it is decoded', async () => {
    const bomb = await drawPngBomb(50_000);
    expect(bomb.length).toBeLessThan(2_000_000);
    const file = path.join(folder, 'bomb');
    await writeFile(file, bomb);
    const before = process.memoryUsage.rss();
    await expect(readFrame({ file, format: 'png' })).rejects.toMatchObject({ code: 'photo_too_many_pixels' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });

  test('the message of the decoder, with its paths, reaches nobody', async () => {
    const jpeg = await drawJpeg(400, 400);
    const refusal = await decode(jpeg.subarray(0, 2000)).catch((error) => error);
    expect(refusal.message).toMatch(/^Файл повреждён/);
    expect(refusal.cause).toBeInstanceOf(Error);
  });
});

test('many photos at once are all decoded', async () => {
  const sent = await Promise.all([drawPlain(600, 800).png().toBuffer(), drawJpeg(600, 800), readTiledHeic()]);
  const photos = await Promise.all(Array.from({ length: 9 }, (_, i) => decode(sent[i % 3] as Buffer)));
  expect(photos.map(({ format }) => format)).toEqual(
    Array.from({ length: 9 }, (_, i) => ['png', 'jpeg', 'heic'][i % 3]),
  );
});

describe('the transparency of a photo', () => {
  const SIZE = { width: 400, height: 400 };
  const draw = () => drawTransparent('shoe', SIZE, 'product');
  /** A photo that is seen through this shape. */
  const seenThrough = (shape: string) =>
    drawPlain(400, 400)
      .ensureAlpha()
      .composite([{ input: Buffer.from(`<svg width="400" height="400">${shape}</svg>`), blend: 'dest-in' }])
      .png();

  test.each([
    ['PNG', () => draw().png()],
    ['PNG of a palette', () => draw().png({ palette: true })],
    ['PNG of 16 bits', () => draw().toColourspace('rgb16').png()],
    ['grey PNG', () => draw().toColourspace('b-w').png()],
    ['WebP', () => draw().webp()],
  ])('is kept as a mask of the master’s size (%s)', async (_, encode) => {
    const { master, mask } = await decode(await encode().toBuffer());
    expect(await sharp(mask ?? undefined).metadata()).toMatchObject({
      format: 'png',
      channels: 1,
      depth: 'uchar',
      ...SIZE,
    });
    const drawn = await draw().extractChannel('alpha').raw().toBuffer();
    const kept = await sharp(mask ?? undefined)
      .extractChannel(0)
      .raw()
      .toBuffer();
    const wrong = kept.filter((alpha, pixel) => alpha > 127 !== (drawn[pixel] ?? 0) > 127);
    expect(wrong.length).toBeLessThan(drawn.length * 0.002);
    expectColour(await readPixel(master, 10, 10), [255, 255, 255]);
  });

  test('shrinks with the master', async () => {
    const drawn = await draw().png().toBuffer();
    const sent = await sharp(drawn).resize(4200, 400, { fit: 'fill', kernel: 'nearest' }).png().toBuffer();
    const { master, mask } = await decode(sent);
    const { width, height } = await sharp(master).metadata();
    expect(width).toBeLessThan(4200);
    expect(await sharp(mask ?? undefined).metadata()).toMatchObject({ width, height });
  });

  test.each([
    ['that is opaque everywhere', () => seenThrough('<rect width="400" height="400"/>')],
    ['of rounded corners', () => seenThrough('<rect width="400" height="400" rx="120"/>')],
    [
      'of a soft edge',
      () =>
        seenThrough(
          '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter><rect x="10" y="10" width="380" height="380" filter="url(#f)"/>',
        ),
    ],
    ['that hides nearly all', () => seenThrough('<circle cx="200" cy="200" r="18"/>')],
  ])('shows no subject and is not kept: one %s', async (_, encode) => {
    expect((await decode(await encode().toBuffer())).mask).toBeNull();
  });

  test('is absent in a JPEG', async () => {
    expect((await decode(await drawJpeg(400, 400))).mask).toBeNull();
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeHeic, type RawPicture, readHeifFrame } from '#api/services/photos/heif-decoding.ts';
import { convertToSrgb } from '#api/services/photos/nclx.ts';
import { clap, composeHeic, DRAWING, type HeicPicture, imir, irot, nclx } from '#tests/fixtures/heic-files.ts';

let folder: string;
let whole: RawPicture;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-heif-'));
  whole = await decodeHeic(await keep([DRAWING]));
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function keep(pictures: HeicPicture[], cover = 0): Promise<string> {
  const file = path.join(folder, String(files++));
  await writeFile(file, await composeHeic(pictures, cover));
  return file;
}

const SMALL: HeicPicture = { columns: 2, rows: 2, tiles: [0, 1, 2, 3], width: 400, height: 500 };

test('the cover counts, which need not be the first picture of a file', async () => {
  const file = await keep([SMALL, DRAWING, SMALL], 1);
  expect(await readHeifFrame(file, 'heic')).toMatchObject({ width: 640, height: 480, storedPixels: 640 * 480 });
  const { width, height, data } = await decodeHeic(file);
  expect([width, height]).toEqual([640, 480]);
  expect(Buffer.from(whole.data).equals(data)).toBe(true);
});

describe('a crop', () => {
  const area = { left: 150, top: 40, width: 320, height: 400 };

  test.each<[string, Buffer[], (picture: Sharp) => Sharp]>([
    ['of a picture as it lies', [], (picture) => picture],
    ['of one that is turned left', [irot(1)], (picture) => picture.rotate(270)],
    ['of one that is turned right', [irot(3)], (picture) => picture.rotate(90)],
    ['of one that stands on its head and is mirrored', [irot(2), imir(1)], (picture) => picture.rotate(180).flop()],
    ['of one that is mirrored', [imir(0)], (picture) => picture.flip()],
  ])('%s shows what the file says', async (_what, turns, turn) => {
    const file = await keep([{ ...DRAWING, properties: [clap(DRAWING, area), ...turns] }]);
    const raw = { width: whole.width, height: whole.height, channels: whole.channels };
    const part = await sharp(whole.data, { raw }).extract(area).png().toBuffer();
    const expected = await turn(sharp(part)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height, data } = await decodeHeic(file);
    expect(await readHeifFrame(file, 'heic')).toMatchObject({ width, height, storedPixels: 640 * 480 });
    expect([width, height]).toEqual([expected.info.width, expected.info.height]);
    expect(Buffer.from(data).equals(expected.data)).toBe(true);
  });

  test('that hides most of a picture does not hide its size', async () => {
    const stored = { columns: 1, rows: 1, tiles: [0], width: 20_000, height: 20_000 };
    const crop = clap(stored, { left: 0, top: 0, width: 400, height: 400 });
    const frame = await readHeifFrame(await keep([{ ...stored, properties: [crop] }]), 'heic');
    expect(frame).toMatchObject({ width: 400, height: 400, storedPixels: 400_000_000 });
  });
});

test('colours by numbers are told only where they differ from sRGB', async () => {
  const read = async (...properties: Buffer[]) =>
    (await readHeifFrame(await keep([{ ...DRAWING, properties }]), 'heic')).nclx;
  expect(await read()).toBeNull();
  expect(await read(nclx(1, 13))).toBeNull();
  expect(await read(nclx(12, 13))).toEqual({ primaries: 12, transfer: 13 });
  expect(await read(nclx(9, 16))).toEqual({ primaries: 9, transfer: 16 });
});

test('pixels of a high range become those of sRGB', async () => {
  const colours = { primaries: 9, transfer: 16 };
  const { data, channels } = await decodeHeic(await keep([{ ...DRAWING, properties: [nclx(9, 16)] }]));
  const expected = convertToSrgb(whole.data, { channels, maxValue: 255, nclx: colours });
  expect(Buffer.from(data).equals(expected)).toBe(true);
});

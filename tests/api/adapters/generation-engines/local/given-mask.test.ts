import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { cutOutSubject } from '#api/adapters/generation-engines/local/cut-out-subject.ts';
import { makeModelChange } from '#api/adapters/generation-engines/local/make-model-change.ts';
import type { Matte } from '#api/imaging/pixel-image.ts';
import { drawTransparent, TRANSPARENT_KINDS } from '#tests/fixtures/draw-transparent-photo.ts';

type Kind = (typeof TRANSPARENT_KINDS)[number];

const SIZE = { width: 600, height: 600 };

/** The photo as it is stored, and the transparency of its file. */
async function store(kind: Kind) {
  const photo = await drawTransparent(kind, SIZE).flatten({ background: '#ffffff' }).jpeg({ quality: 92 }).toBuffer();
  return { photo, mask: await drawTransparent(kind, SIZE).extractChannel('alpha').png().toBuffer() };
}

const mattes = new Map<Kind, Promise<Matte>>();
/** Each photo is cut out once. No test changes the matte. */
function cutOut(kind: Kind): Promise<Matte> {
  const matte =
    mattes.get(kind) ?? store(kind).then(async ({ photo, mask }) => (await cutOutSubject(photo, 2160, mask)).matte!);
  mattes.set(kind, matte);
  return matte;
}

const readAlpha = (kind: Kind, part: 'product' | 'shadow') =>
  drawTransparent(kind, SIZE, part).extractChannel('alpha').raw().toBuffer();

describe('a photo whose file had a transparent ground', () => {
  test.each(TRANSPARENT_KINDS)('is cut out as its file was (%s)', async (kind) => {
    const { alpha } = await cutOut(kind);
    const drawn = await readAlpha(kind, 'product');
    let [both, either] = [0, 0];
    for (let pixel = 0; pixel < alpha.length; pixel++) {
      both += Math.min(alpha[pixel]!, drawn[pixel]!);
      either += Math.max(alpha[pixel]!, drawn[pixel]!);
    }
    expect(both / either).toBeGreaterThan(0.97);
  });

  test.each(['shoe', 'standing-shoe'] as const)('leaves its soft shadow behind (%s)', async (kind) => {
    const { alpha } = await cutOut(kind);
    const [product, shadow] = [await readAlpha(kind, 'product'), await readAlpha(kind, 'shadow')];
    let [cast, left] = [0, 0];
    for (let pixel = 0; pixel < alpha.length; pixel++) {
      if (product[pixel]! > 0) continue;
      cast += shadow[pixel]!;
      left += alpha[pixel]!;
    }
    expect(left / cast).toBeLessThan(0.02);
  });

  test('keeps the colours of a rim that its file has mixed with nothing', async () => {
    const { alpha, foreground } = await cutOut('standing-shoe');
    const dark = alpha.filter((share, pixel) => share > 128 && foreground[pixel * 3]! < 50);
    expect(dark).toHaveLength(0);
  });

  test.each([
    { alpha: 150, edge: 'hard', blur: 0 },
    { alpha: 200, edge: 'soft', blur: 3 },
  ])('is no shadow when it is a translucent thing alone ($edge edge)', async ({ alpha, blur }) => {
    const disc = `<svg width="600" height="600"><circle cx="300" cy="300" r="133" fill="rgb(${alpha},${alpha},${alpha})"/></svg>`;
    const drawn = sharp({ create: { ...SIZE, channels: 3, background: '#000000' } }).composite([
      { input: Buffer.from(disc) },
    ]);
    const flat = await drawn.png().toBuffer();
    const mask = await (blur > 0 ? sharp(flat).blur(blur) : sharp(flat)).extractChannel(0).png().toBuffer();
    const photo = await sharp({ create: { ...SIZE, channels: 3, background: '#dfe8f2' } })
      .jpeg()
      .toBuffer();
    const { matte } = await cutOutSubject(photo, 2160, mask);
    const kept = matte!.alpha.filter((share) => share > 100).length;
    expect(kept / matte!.alpha.length).toBeGreaterThan(0.1);
  });

  test('goes before another ground although it is white on white', async () => {
    const { photo, mask } = await store('shoe');
    const green = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#148c3c' } })
      .png()
      .toBuffer();
    await expect(makeModelChange(photo, green, { width: 300, height: 400 })).rejects.toThrow('no clean cut-out');
    const made = await makeModelChange(photo, green, { width: 300, height: 400 }, null, mask);
    const { data } = await sharp(made).raw().toBuffer({ resolveWithObject: true });
    let [white, dirty] = [0, 0];
    for (let at = 0; at < data.length; at += 3) {
      if (data[at]! > 200) white++;
      else if (data[at]! > 90 && data[at + 1]! < 110) dirty++;
    }
    expect(white).toBeGreaterThan(300 * 400 * 0.05);
    expect(dirty).toBeLessThan(white * 0.01);
  });
});

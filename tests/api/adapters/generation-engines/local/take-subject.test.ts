import sharp from 'sharp';
import { expect, test } from 'vitest';
import { takeSubject } from '#api/adapters/generation-engines/local/take-subject.ts';

test('a subject that is shown larger than it was cut out has the photo’s own pixels, except at its rim', async () => {
  const file = { width: 400, height: 400 };
  const stripes = Uint8Array.from({ length: file.width * file.height }, (_, i) =>
    Math.floor((i % 400) / 4) % 2 ? 255 : 0,
  );
  const photo = await sharp(stripes, { raw: { ...file, channels: 1 } })
    .png()
    .toBuffer();
  // The cut-out has a quarter of the size. At this size the stripes blend into grey.
  const size = { width: 100, height: 100 };
  const grey = new Uint8Array(100 * 100 * 3).fill(128);
  const alpha = new Uint8Array(100 * 100);
  for (let y = 25; y < 75; y++) alpha.fill(y === 25 ? 120 : 255, y * 100 + 25, y * 100 + 75);
  const subject = takeSubject(photo, file, { ...size, alpha, foreground: grey, ground: grey });
  expect(subject.inFile).toMatchObject({ width: 200, height: 200 });

  const layout = { support: 'wall', left: 0, top: 0, width: 1, height: 1 } as const;
  const { sprite } = await subject.place(layout, { width: 200, height: 200 });
  const row = (y: number) => Array.from({ length: 200 }, (_, x) => sprite.data[(y * 200 + x) * 4]!);
  expect(Math.min(...row(100))).toBeLessThan(40);
  expect(Math.max(...row(100))).toBeGreaterThan(215);
  for (const level of row(0)) expect(Math.abs(level - 128)).toBeLessThanOrEqual(2);
});

/**
 * CPU of taking in a photo of 48 megapixels: the check of its format, the master, the preview and the thumbnail, in the
 * processes that do it for the server, and writing them. Beside it one sharp pipeline that reads the file and writes
 * the same master. Measures with /proc, so on Linux.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createDiskStorage } from '#api/adapters/storage/disk-storage.ts';
import { createProcessState } from '#api/services/core/process-state.ts';
import { decodePhoto } from '#api/services/photos/decoding.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readTreeCpu } from '#tests/slow/memory/measure-tree.ts';
import { alternate, measureOwnCpu, reportFigure } from './figures.ts';

const SIZE = { width: 6000, height: 8000 };
const GRAIN = { width: 1500, height: 1000 };
const MASTER_SIDE = 4096;

const folder = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
try {
  const file = path.join(folder, 'photo.jpg');
  await writeFile(file, await drawGrainyPhoto());
  const storage = createDiskStorage({ folder: path.join(folder, 'storage') });
  const state = createProcessState();
  const { values, floorValues } = await alternate(5, {
    figure: async () => {
      const before = readTreeCpu(process.pid);
      const { master, preview, thumbnail } = await decodePhoto({ state }, file);
      await storage.put('photos/1/master.jpg', master, 'image/jpeg');
      await storage.put('photos/1/preview.webp', preview, 'image/webp');
      await storage.put('photos/1/thumbnail.webp', thumbnail, 'image/webp');
      return readTreeCpu(process.pid) - before;
    },
    floor: () =>
      measureOwnCpu(() =>
        sharp(file, { sequentialRead: true })
          .resize(MASTER_SIDE, MASTER_SIDE, { fit: 'inside' })
          .jpeg({ quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: false })
          .toFile(path.join(folder, 'floor.jpg')),
      ),
  });
  reportFigure({
    what: 'ingest of a 48-megapixel JPEG',
    unit: 'ms of CPU',
    values,
    floor: { what: 'one bare decode, resize and encode', values: floorValues },
    budget: { atMost: 1.5 },
  });
} finally {
  await rm(folder, { recursive: true });
}

/** A photo with the grain of a sensor, because a drawing without it is decoded and encoded too fast. */
async function drawGrainyPhoto(): Promise<Buffer> {
  const grain = await sharp({
    create: { ...GRAIN, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 8 } },
  })
    .png()
    .toBuffer();
  return sharp(await drawProductPhoto('person', { width: SIZE.width / 2, height: SIZE.height / 2 }))
    .resize(SIZE.width, SIZE.height)
    .composite([{ input: grain, blend: 'soft-light', tile: true }])
    .jpeg({ quality: 80 })
    .toBuffer();
}

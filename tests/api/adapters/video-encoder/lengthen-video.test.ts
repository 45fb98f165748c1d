import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasVisibleSeam, listForthAndBack, SEAM_MAX_RATIO } from '#api/adapters/video-encoder/lengthen-video.ts';
import { createProcessEncoder } from '#api/adapters/video-encoder/process-encoder.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';

test('a seam is visible when it is larger than one and a half mean steps', () => {
  expect(SEAM_MAX_RATIO).toBe(1.5);
  expect(hasVisibleSeam({ neighbours: [1, 2, 3], seam: 3 })).toBe(false);
  expect(hasVisibleSeam({ neighbours: [1, 2, 3], seam: 3.01 })).toBe(true);
});

test('a still video has no visible seam, however many frames it has', () => {
  expect(hasVisibleSeam({ neighbours: [0, 0, 0], seam: 0 })).toBe(false);
  expect(hasVisibleSeam({ neighbours: [], seam: 0 })).toBe(false);
});

test('what moves once and stands again elsewhere jumps at its seam', () => {
  expect(hasVisibleSeam({ neighbours: [0, 4, 0, 0], seam: 4 })).toBe(true);
});

test('a video is played forth and back in whole rounds, and no frame is shown twice at a turn', () => {
  expect([...listForthAndBack(4, 6)]).toEqual([0, 1, 2, 3, 2, 1]);
  expect([...listForthAndBack(4, 7)]).toEqual([0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1]);
});

test('a killed process leaves no frames behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-lengthen-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const inputPath = join(folder, 'clip.mp4');
  const outputPath = join(folder, 'longer.mp4');
  await writeFile(inputPath, (await drawTestVideo({ seconds: 2 })).content);
  const stop = new AbortController();
  const hasBegun = () => statSync(outputPath, { throwIfNoEntry: false }) !== undefined;
  const watch = setInterval(() => hasBegun() && stop.abort(new Error('no longer wanted')), 1);
  const change = { kind: 'lengthen', minSeconds: 3000 } as const;
  const work = createProcessEncoder('node-av').transform({ inputPath, outputPath, change, signal: stop.signal });
  await expect(work.finally(() => clearInterval(watch))).rejects.toThrow('no longer wanted');
  expect((await readdir(folder)).sort()).toEqual(['clip.mp4', 'longer.mp4']);
});

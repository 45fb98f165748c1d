import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFfmpegEncoder } from '#api/adapters/video-encoder/ffmpeg-encoder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-ffmpeg-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a process that hangs is ended when its time is over', async () => {
  const program = join(folder, 'ffmpeg');
  await writeFile(program, '#!/bin/sh\nexec sleep 50\n', { mode: 0o755 });
  const startedAt = performance.now();
  const frame = createFfmpegEncoder(program).readFirstFrame('video.mp4', AbortSignal.timeout(200));
  await expect(frame).rejects.toMatchObject({ name: 'TimeoutError' });
  // Before it would end by itself, however busy the machine is.
  expect(performance.now() - startedAt).toBeLessThan(45_000);
});

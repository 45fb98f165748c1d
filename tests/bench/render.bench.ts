/**
 * Measures the cost of a video of the local engine beyond encoding. Compares the CPU time of preparation, rendering and
 * encoding of five seconds at 1080 x 1440 with the encoding of the same frames alone, in pairs within one run.
 * Run with `node tests/bench/render.bench.ts [pairs]`.
 *
 * The shares of about 8.5 s of CPU on a core of 2.45 GHz: x264 3 s (20 ms a frame), the kernel 3 s (20 ms),
 * preparation 2 s (OpenCV's start 0.4, GrabCut 0.5, matting and filling 0.8), the warp grid 0.5 s (3 ms).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { renderVideo } from '#api/adapters/generation-engines/local/render-video.ts';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';
import type { EncodeRequest } from '#api/adapters/video-encoder/video-encoder.ts';
import { MOTION_PRESETS, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

const BUDGET = 4;
const frame = VIDEO_FRAME_SIZES['3:4'];
const pairs = Number(process.argv[2] ?? 3);
const folder = await mkdtemp(join(tmpdir(), 'podium-bench-'));
const encoder = createNodeAvEncoder();

/** CPU seconds of the whole process, with all threads, during the work. */
async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

await buildKernel();
const ratios: number[] = [];
for (let pair = 0; pair < pairs; pair++) {
  const preset = MOTION_PRESETS[pair % MOTION_PRESETS.length]!;
  const photo = await drawProductPhoto(preset === 'shoe' ? 'shoe' : 'garment', { width: 1500, height: 2000 });
  const kept: Uint8Array[] = [];
  const outputPath = join(folder, 'video.mp4');
  const render = (encode: (request: EncodeRequest) => Promise<void>) =>
    renderVideo({
      photo,
      frame,
      category: preset === 'shoe' ? 'обувь' : 'одежда',
      motion: { preset, durationSeconds: 5, framesPerSecond: 30 },
      encoder: { encode },
      outputPath,
    });
  const whole = await measureCpu(() => render(encoder.encode));
  await render(async ({ frames }) => {
    for await (const pixels of frames) kept.push(Uint8Array.from(pixels));
  });
  await sleep(200);
  async function* frames() {
    yield* kept;
  }
  const bare = await measureCpu(() => encoder.encode({ ...frame, framesPerSecond: 30, frames: frames(), outputPath }));
  ratios.push(whole / bare);
  console.log(
    `  ${preset}: ${whole.toFixed(2)} s of CPU, bare encode ${bare.toFixed(2)} s, ratio ${(whole / bare).toFixed(2)}`,
  );
}
await rm(folder, { recursive: true });
const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
console.log(`render-cpu / bare-encode-cpu: ${median.toFixed(1)} (budget ${BUDGET})`);
process.exit(median <= BUDGET ? 0 : 1);

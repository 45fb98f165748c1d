/**
 * What a video of the local engine costs beyond encoding, and how long it keeps somebody waiting: five seconds at
 * 1080 x 1440 in the process that the engine starts for it, beside the encoding of the same frames alone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FrameRenderer } from '#api/adapters/generation-engines/local/frame-renderer.ts';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { FRAMES_PER_SECOND } from '#api/adapters/generation-engines/local/motions.ts';
import type * as RenderWork from '#api/adapters/generation-engines/local/render-work.ts';
import { prepareScene } from '#api/adapters/generation-engines/local/scene.ts';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import { type MotionPreset, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readTreeCpu } from '#tests/slow/memory/measure-tree.ts';
import { alternate, measureOwnCpu, reportFigure } from './figures.ts';

const SECONDS = 5;
const frame = VIDEO_FRAME_SIZES['3:4'];
const render = workIn<typeof RenderWork>(
  new URL(import.meta.resolve('#api/adapters/generation-engines/local/render-work.ts')),
);
const encoder = createNodeAvEncoder();
const folder = await mkdtemp(path.join(tmpdir(), 'podium-bench-'));
const outputPath = path.join(folder, 'video.mp4');

/** In milliseconds, a value for each round. */
const cpu: number[] = [];
const bareCpu: number[] = [];
const wall: number[] = [];
const bareWall: number[] = [];
const untilFirstFrame: number[] = [];
await buildKernel();
try {
  for (const preset of ['spin', 'walk', 'shoe'] as const) await compare(preset);
} finally {
  await rm(folder, { recursive: true });
}
reportFigure({
  what: 'local video of 5 s, CPU',
  unit: 'ms',
  values: cpu,
  floor: { what: 'bare encode of the same frames', values: bareCpu },
  budget: { atMost: 2.5 },
});
reportFigure({
  what: 'local video of 5 s, waiting for it',
  unit: 'ms',
  values: wall,
  floor: { what: 'bare encode of the same frames', values: bareWall },
  budget: { atMost: 3 },
});
reportFigure({
  what: 'local video of 5 s, until its first frame',
  unit: 'ms',
  values: untilFirstFrame,
  floor: { what: 'bare encode of all its frames', values: bareWall },
  budget: { atMost: 2 },
});

async function compare(preset: MotionPreset): Promise<void> {
  const task = {
    mask: null,
    photo: await drawProductPhoto(preset === 'shoe' ? 'shoe' : 'garment', { width: 1500, height: 2000 }),
    frame,
    category: preset === 'shoe' ? ('обувь' as const) : ('одежда' as const),
    motion: { preset, durationSeconds: SECONDS },
    outputPath,
  };
  const renderer = new FrameRenderer(await prepareScene(task.photo, frame, task.category), task.motion);
  const kept = Array.from({ length: renderer.frameCount }, (_, index) => renderer.renderFrame(index).slice());
  async function* frames() {
    yield* kept;
  }
  const walls: { whole: number[]; bare: number[]; first: number[] } = { whole: [], bare: [], first: [] };
  const { values, floorValues } = await alternate(1, {
    figure: async () => {
      const before = readTreeCpu(process.pid);
      const start = performance.now();
      let first = 0;
      await render(
        'renderVideo',
        { ...task, encoder: encoder.name },
        {
          onMessage: () => (first ||= performance.now() - start),
        },
      );
      walls.whole.push(performance.now() - start);
      walls.first.push(first);
      return readTreeCpu(process.pid) - before;
    },
    floor: async () => {
      const start = performance.now();
      const used = await measureOwnCpu(() =>
        encoder.encode({ ...frame, framesPerSecond: FRAMES_PER_SECOND, frames: frames(), outputPath }),
      );
      walls.bare.push(performance.now() - start);
      return used;
    },
  });
  cpu.push(...values);
  bareCpu.push(...floorValues);
  // The first round is a warm-up.
  wall.push(...walls.whole.slice(1));
  bareWall.push(...walls.bare.slice(1));
  untilFirstFrame.push(...walls.first.slice(1));
}

import { type FileHandle, open, rm } from 'node:fs/promises';
import { readVideoFacts } from './mp4-facts.ts';
import type { FrameEncoder, TransformRequest, VideoFacts } from './video-encoder.ts';

/**
 * A join whose frames differ by so many times the usual step from frame to frame still looks like a step of the motion.
 * At twice the step it is as if a frame were missing, which the eye sees.
 */
export const SEAM_MAX_RATIO = 1.5;
/** Frames are compared this small: in a large one, grain and moving edges differ so much that a jump drowns in them. */
const COMPARED_WIDTH_PX = 120;

interface Source {
  inputPath: string;
  signal?: AbortSignal | undefined;
}

/** What an encoder has to offer. */
interface LengthenSteps extends FrameEncoder {
  /**
   * Decodes each frame once, changed by a filter graph of FFmpeg, and waits until it has been used. The graph gives
   * frames of `frameBytes`, planes without padding. The bytes may be overwritten afterwards.
   */
  decode(
    request: Source & { filter: string; frameBytes: number },
    use: (frame: Uint8Array) => Promise<void> | void,
  ): Promise<void>;
  /** Repeats the whole video without loss. */
  repeat(request: Source & { outputPath: string; times: number }): Promise<void>;
}

/** Mean absolute differences of the luma of two frames, of 255. */
export interface FrameDifferences {
  /** Of every frame and the next one. */
  neighbours: readonly number[];
  /** Of the last frame and the first one. */
  seam: number;
}

/** Carries out the change `lengthen`. */
export async function lengthenVideo(
  { inputPath, outputPath, signal }: Omit<TransformRequest, 'change'>,
  minSeconds: number,
  steps: LengthenSteps,
): Promise<void> {
  signal?.throwIfAborted();
  const facts = await readVideoFacts(inputPath);
  const times = Math.ceil(minSeconds / facts.durationSeconds);
  const source = { inputPath, signal };
  if (times > 1 && hasVisibleSeam(await compareFrames(source, facts, steps)))
    return playForthAndBack({ ...source, outputPath, minSeconds, facts }, steps);
  return steps.repeat({ ...source, outputPath, times });
}

/** Whether a repeated video jumps where its end meets its beginning. A video of one frame has nothing to jump. */
export function hasVisibleSeam({ neighbours, seam }: FrameDifferences): boolean {
  if (neighbours.length === 0) return false;
  const mean = neighbours.reduce((sum, difference) => sum + difference, 0) / neighbours.length;
  return seam > SEAM_MAX_RATIO * mean;
}

async function compareFrames(
  source: Source,
  { width, height }: VideoFacts,
  { decode }: LengthenSteps,
): Promise<FrameDifferences> {
  const small = { width: COMPARED_WIDTH_PX, height: Math.ceil((height * COMPARED_WIDTH_PX) / width) };
  const filter = `scale=${small.width}:${small.height}:flags=area,format=gray`;
  const neighbours: number[] = [];
  let first: Uint8Array | undefined;
  let last: Uint8Array | undefined;
  await decode({ ...source, filter, frameBytes: small.width * small.height }, (luma) => {
    const frame = Uint8Array.from(luma);
    if (last) neighbours.push(differ(last, frame));
    first ??= frame;
    last = frame;
  });
  return { neighbours, seam: first && last ? differ(last, first) : 0 };
}

function differ(one: Uint8Array, other: Uint8Array): number {
  const sum = one.reduce((total, luma, index) => total + Math.abs(luma - (other[index] ?? 0)), 0);
  return sum / one.length;
}

/** Keeps the decoded frames in a file, because five seconds of 1080 x 1440 have 350 MB. */
async function playForthAndBack(
  { outputPath, minSeconds, facts, ...source }: Source & { outputPath: string; minSeconds: number; facts: VideoFacts },
  { decode, encode }: LengthenSteps,
): Promise<void> {
  const { width, height, framesPerSecond } = facts;
  const frameBytes = (width * height * 3) / 2;
  await using file = await openNamelessFile(`${outputPath}.frames`);
  let count = 0;
  await decode({ ...source, filter: 'format=yuv420p', frameBytes }, async (frame) => {
    source.signal?.throwIfAborted();
    await file.writeFile(frame);
    count++;
  });
  async function* frames() {
    const frame = new Uint8Array(frameBytes);
    for (const index of listForthAndBack(count, minSeconds * framesPerSecond)) {
      await file.read(frame, 0, frameBytes, index * frameBytes);
      yield frame;
    }
  }
  const { signal } = source;
  await encode({ width, height, framesPerSecond, frames: frames(), outputPath, ...(signal ? { signal } : {}) });
}

/**
 * The order of frames for whole rounds forth and back, at least `minFrames` of them, from three frames or more. Neither
 * turn shows a frame twice, and the end leads to the beginning, because players repeat such videos for ever.
 */
export function* listForthAndBack(count: number, minFrames: number): Generator<number> {
  const rounds = Math.ceil(minFrames / (2 * count - 2));
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < count; index++) yield index;
    for (let index = count - 2; index > 0; index--) yield index;
  }
}

/** The file loses its name at once, so nothing stays of it, even when this process is killed. */
async function openNamelessFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+');
  try {
    await rm(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

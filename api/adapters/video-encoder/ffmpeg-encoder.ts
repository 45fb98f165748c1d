import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import sharp from 'sharp';
import { withWatermarkFile } from '#api/imaging/watermark/watermark-overlay.ts';
import { WorkProcessError } from '#api/platform/work-processes/work-process-error.ts';
import { drawPosters } from './draw-posters.ts';
import {
  COPY_CRF,
  chooseCopyBitrate,
  chooseFrameRate,
  chooseMaxBitrate,
  describeFilter,
  ENCODING,
  RATE_BUFFER_SECONDS,
} from './encoding.ts';
import { lengthenVideo } from './lengthen-video.ts';
import { readVideoFacts } from './mp4-facts.ts';
import type { EncodeRequest, FrameEncoder, TransformRequest, VideoEncoder } from './video-encoder.ts';

const ERROR_TAIL_CHARACTERS = 2000;

/** An installed FFmpeg, one process per job. `command`: a path, or a name in PATH. */
export function createFfmpegEncoder(command = 'ffmpeg'): VideoEncoder & FrameEncoder {
  return {
    name: 'ffmpeg',
    encode: (request) => encodeFrames(command, request),
    addWatermark: (request) => addWatermark(command, request),
    transform: (request) => transform(command, request),
    async readFrames(inputPath, atSeconds, signal) {
      const pictures: Buffer[] = [];
      for (const seconds of atSeconds) {
        const png = await readFrame(command, ['-ss', String(seconds), '-i', inputPath], signal);
        if (png.length > 0) pictures.push(png);
      }
      return pictures;
    },
    readFirstFrame: (inputPath, signal) => readFirstFrame(command, inputPath, signal),
    makePosters: async (inputPath, signal) => drawPosters(sharp(await readFirstFrame(command, inputPath, signal))),
    async probe(inputPath, signal) {
      const facts = await readVideoFacts(inputPath);
      // The boxes may describe data that is missing. Decoding one frame proves that the video plays.
      await runFfmpeg(command, ['-xerror', '-i', inputPath, '-frames:v', '1', '-f', 'null', '-'], signal);
      return facts;
    },
  };
}

async function readFirstFrame(command: string, inputPath: string, signal?: AbortSignal): Promise<Buffer> {
  const png = await readFrame(command, ['-i', inputPath], signal);
  if (png.length === 0) throw new Error('the video has no frame that can be decoded');
  return png;
}

function readFrame(command: string, input: string[], signal?: AbortSignal): Promise<Buffer> {
  const output = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'];
  return runFfmpeg(command, [...input, ...output], signal);
}

interface Output {
  framesPerSecond: number;
  outputPath: string;
  crf?: number;
  /** In bits a second. Null when only the quality decides. */
  maxBitrate?: number | null;
}

function outputArguments({ framesPerSecond, outputPath, crf = ENCODING.crf, maxBitrate = null }: Output): string[] {
  return [
    ...(maxBitrate === null
      ? []
      : ['-maxrate', String(maxBitrate), '-bufsize', String(Math.round(maxBitrate * RATE_BUFFER_SECONDS))]),
    '-c:v',
    'libx264',
    '-preset',
    ENCODING.preset,
    '-crf',
    String(crf),
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-g',
    String(Math.round(framesPerSecond * ENCODING.keyframeSeconds)),
    '-bf',
    String(ENCODING.maxBFrames),
    '-threads',
    String(ENCODING.threads),
    '-colorspace',
    'bt709',
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-color_range',
    'tv',
    '-an',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    outputPath,
  ];
}

async function encodeFrames(
  command: string,
  { width, height, framesPerSecond, frames, outputPath, signal }: EncodeRequest,
): Promise<void> {
  signal?.throwIfAborted();
  const input = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-s',
    `${width}x${height}`,
    '-r',
    String(framesPerSecond),
    '-i',
    'pipe:0',
  ];
  await runFfmpeg(command, [...input, ...outputArguments({ framesPerSecond, outputPath })], signal, {
    async feed(pipe) {
      for await (const pixels of frames) {
        signal?.throwIfAborted();
        if (pipe.destroyed) return;
        // Copied, because the pipe may still hold the bytes when the next frame is drawn into the same memory.
        if (!pipe.write(Buffer.from(pixels))) await drained(pipe);
      }
      pipe.end();
    },
  });
}

async function addWatermark(
  command: string,
  { inputPath, outputPath, signal }: { inputPath: string; outputPath: string; signal?: AbortSignal },
): Promise<void> {
  const facts = await readVideoFacts(inputPath);
  await withWatermarkFile(facts, outputPath, async (overlayPath) => {
    const graph = '[1]format=yuva420p[logo];[0:v][logo]overlay=0:0:format=yuv420,format=yuv420p';
    await runFfmpeg(
      command,
      [
        '-i',
        inputPath,
        '-i',
        overlayPath,
        '-filter_complex',
        graph,
        ...outputArguments({
          framesPerSecond: facts.framesPerSecond,
          outputPath,
          crf: COPY_CRF,
          maxBitrate: chooseCopyBitrate(facts),
        }),
      ],
      signal,
    );
  });
}

async function transform(command: string, { inputPath, outputPath, change, signal }: TransformRequest): Promise<void> {
  if (change.kind === 'loop') return repeatVideo(command, { inputPath, outputPath, times: change.times, signal });
  if (change.kind === 'lengthen') {
    return lengthenVideo({ inputPath, outputPath, signal }, change.minSeconds, {
      decode: (request, use) => decodeAll(command, request, use),
      repeat: (request) => repeatVideo(command, request),
      encode: (request) => encodeFrames(command, request),
    });
  }
  const facts = await readVideoFacts(inputPath);
  const filter = describeFilter(change, facts);
  const output = {
    framesPerSecond: chooseFrameRate(change, facts),
    outputPath,
    maxBitrate: chooseMaxBitrate(change, facts),
  };
  await runFfmpeg(command, ['-i', inputPath, ...(filter ? ['-vf', filter] : []), ...outputArguments(output)], signal);
}

async function repeatVideo(
  command: string,
  {
    inputPath,
    outputPath,
    times,
    signal,
  }: { inputPath: string; outputPath: string; times: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const input = ['-stream_loop', String(times - 1), '-i', inputPath, '-map', '0:v:0', '-c', 'copy'];
  await runFfmpeg(command, [...input, '-movflags', '+faststart', '-f', 'mp4', outputPath], signal);
}

async function decodeAll(
  command: string,
  {
    inputPath,
    filter,
    frameBytes,
    signal,
  }: { inputPath: string; filter: string; frameBytes: number; signal?: AbortSignal | undefined },
  use: (frame: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const { framesPerSecond } = await readVideoFacts(inputPath);
  // With a rate for its input, FFmpeg neither drops frames nor repeats any to make their times even.
  const input = ['-r', String(framesPerSecond), '-i', inputPath, '-map', '0:v:0'];
  await runFfmpeg(command, [...input, '-vf', filter, '-f', 'rawvideo', 'pipe:1'], signal, {
    async take(pipe) {
      const frame = Buffer.alloc(frameBytes);
      let filled = 0;
      for await (const chunk of pipe as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; ) {
          const copied = chunk.copy(frame, filled, at);
          at += copied;
          filled = (filled + copied) % frameBytes;
          if (filled === 0) await use(frame);
        }
      }
    },
  });
}

interface PipeWork {
  feed?: (pipe: Writable) => Promise<void>;
  /** Reads the standard output, which is then not returned. */
  take?: (pipe: Readable) => Promise<void>;
}

/** Runs FFmpeg to its end and returns its standard output. Kills it when `signal` aborts, or `feed` or `take` throws. */
async function runFfmpeg(
  command: string,
  args: string[],
  signal?: AbortSignal,
  { feed, take }: PipeWork = {},
): Promise<Buffer> {
  signal?.throwIfAborted();
  const child = spawn(command, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args], {
    stdio: [feed ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  let errors = '';
  if (!take) child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-ERROR_TAIL_CHARACTERS)));
  // The exit code is more informative than a broken pipe.
  child.stdin?.on('error', () => undefined);
  let isStopped = false;
  const kill = () => {
    isStopped = true;
    child.kill('SIGKILL');
  };
  signal?.addEventListener('abort', kill, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new WorkProcessError(`there is no process for ffmpeg: ${error.message}`, error)),
    );
    child.once('close', (code, by) => {
      if (by === 'SIGKILL' && !isStopped) reject(new WorkProcessError('ffmpeg was killed'));
      else resolve(code);
    });
  });
  ended.catch(() => undefined);
  if (child.pid !== undefined) stepBack(child.pid);
  try {
    const work = feed && child.stdin ? feed(child.stdin) : take && child.stdout ? take(child.stdout) : undefined;
    await work?.catch(async (error: unknown) => {
      kill();
      await ended.catch(() => undefined);
      throw error;
    });
    const code = await ended;
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${errors.trim()}`);
    return Buffer.concat(output);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** Resolves when the pipe takes more bytes, or has closed: a process that has ended drains nothing. */
async function drained(pipe: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = () => {
      pipe.off('drain', settle);
      pipe.off('close', settle);
      resolve();
    };
    pipe.once('drain', settle);
    pipe.once('close', settle);
  });
}

/** Lowers the priority of the encoder below the process that answers requests. */
function stepBack(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process may have ended already.
  }
}

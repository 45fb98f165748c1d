import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type {
  EngineFailure,
  EngineOutput,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import type { VideoEncoder } from '#api/adapters/video-encoder/video-encoder.ts';
import { VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { buildKernel } from './kernel/build-kernel.ts';
import { FRAMES_PER_SECOND, renderVideo } from './render-video.ts';
import type { FrameSize } from './scene.ts';

/** Part of the progress that preparing the layers stands for; the frames share the rest. */
const PREPARATION_SHARE = 0.15;
const CONCURRENCY = 2;
const POLL_INTERVAL_MS = 500;
const STALE_FILE_MS = 24 * 60 * 60 * 1000;

export interface LocalEngineOptions {
  /** Folder of the engine's own for unfinished and finished files. */
  workDir: string;
  encoder: Pick<VideoEncoder, 'encode'>;
  log: { info: (details: object, message: string) => void; error: (details: object, message: string) => void };
  /** For tests: another frame size than the order's aspect ratio asks for, divisible by eight. */
  frameSize?: FrameSize;
}

interface Job {
  state: 'queued' | 'preparing' | 'running' | 'completed' | 'failed';
  share: number;
  failure?: EngineFailure;
  stop: AbortController;
  done: Promise<void>;
}

/**
 * The embedded engine: moves the pixels of the photo on this machine's processor, without any model. The same
 * order always gives the same video, so an order lost in a crash is simply started again.
 */
export async function createLocalEngine({
  workDir,
  encoder,
  log,
  frameSize,
}: LocalEngineOptions): Promise<GenerationEngine> {
  await Promise.all([buildKernel(), mkdir(workDir, { recursive: true })]);
  await removeStaleFiles(workDir);
  const jobs = new Map<string, Job>();
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Waits until fewer than `CONCURRENCY` renders run; a turn that ends is handed straight to the next in line. */
  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (running < CONCURRENCY) {
      running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => {
        const place = waiting.indexOf(resolve);
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(signal.reason as Error);
      });
    });
  }

  function passTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  async function run(jobId: string, job: Job, order: GenerationOrder): Promise<void> {
    const { signal } = job.stop;
    const partial = partialPath(workDir, jobId);
    const startedAt = performance.now();
    try {
      await takeTurn(signal);
      try {
        job.state = 'preparing';
        const photo = await buffer(await order.openPhoto());
        const { verdict } = await renderVideo({
          photo,
          frame: frameSize ?? VIDEO_FRAME_SIZES[order.aspectRatio],
          category: order.category,
          motion: { preset: order.preset, durationSeconds: order.durationSeconds, framesPerSecond: FRAMES_PER_SECOND },
          encoder,
          outputPath: partial,
          signal,
          onProgress: (share) => {
            job.state = 'running';
            job.share = PREPARATION_SHARE + (1 - PREPARATION_SHARE) * share;
          },
        });
        await rename(partial, finishedPath(workDir, jobId));
        job.share = 1;
        job.state = 'completed';
        log.info({ jobId, verdict, milliseconds: Math.round(performance.now() - startedAt) }, 'local video rendered');
      } finally {
        passTurn();
      }
    } catch (error) {
      await rm(partial, { force: true });
      if (signal.aborted) return;
      job.failure = describeFailure(error);
      job.state = 'failed';
      log.error({ jobId, err: error }, 'local video failed');
    }
  }

  async function forget(jobId: string): Promise<void> {
    const job = jobs.get(jobId);
    job?.stop.abort(new Error('the job was cancelled'));
    await job?.done;
    jobs.delete(jobId);
    await rm(finishedPath(workDir, jobId), { force: true });
  }

  return {
    name: 'local',
    isGenerative: false,
    pollIntervalMs: POLL_INTERVAL_MS,
    concurrency: CONCURRENCY,
    async start(order) {
      const jobId = jobIdOf(order);
      if (jobs.has(jobId) && jobs.get(jobId)?.state !== 'failed') return jobId;
      if (await exists(finishedPath(workDir, jobId))) return jobId;
      const job: Job = { state: 'queued', share: 0, stop: new AbortController(), done: Promise.resolve() };
      jobs.set(jobId, job);
      job.done = run(jobId, job, order);
      return jobId;
    },
    async poll(jobId): Promise<EngineReport> {
      const job = jobs.get(jobId);
      if (job?.state === 'failed') return { state: 'failed', failure: job.failure! };
      if (job && job.state !== 'completed')
        return job.state === 'queued' ? { state: 'queued' } : { state: job.state, share: job.share };
      const path = finishedPath(workDir, jobId);
      return (await exists(path)) ? { state: 'completed', outputs: [videoOutput(path)] } : { state: 'unknown' };
    },
    async cancel(jobId) {
      await forget(jobId);
      return 'cancelled';
    },
    dispose: forget,
    async close() {
      for (const job of jobs.values()) job.stop.abort(new Error('the engine is closing'));
      await Promise.all([...jobs.values()].map((job) => job.done));
      jobs.clear();
    },
  };
}

/** Made from the order's own id, so that a job is found again after a restart; hashed, because it names a file. */
function jobIdOf({ generationId }: GenerationOrder): string {
  return `local-${createHash('sha256').update(generationId).digest('hex').slice(0, 32)}`;
}

const JOB_ID = /^local-[0-9a-f]{32}$/;

function finishedPath(workDir: string, jobId: string): string {
  if (!JOB_ID.test(jobId)) return join(workDir, 'no-such-job.mp4');
  return join(workDir, `${jobId}.mp4`);
}

function partialPath(workDir: string, jobId: string): string {
  return join(workDir, `${jobId}.${process.pid}.partial`);
}

function videoOutput(path: string): EngineOutput {
  return { contentType: 'video/mp4', open: async () => createReadStream(path) };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** sharp's refusals are the photo's fault, and the same photo would be refused again; anything else may pass. */
function describeFailure(error: unknown): EngineFailure {
  const detail = error instanceof Error ? error.message : String(error);
  const isPhotoRefused =
    /unsupported image format|premature end|pixel limit|corrupt|Input buffer|VipsJpeg|Input file/i.test(detail);
  return isPhotoRefused
    ? { code: 'photo_unsuitable', detail, shouldRetry: false }
    : { code: 'engine_error', detail, shouldRetry: true };
}

/** What a crash left behind: nobody asks for it after a day. */
async function removeStaleFiles(workDir: string): Promise<void> {
  for (const name of await readdir(workDir)) {
    const path = join(workDir, name);
    const isOld = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs > STALE_FILE_MS,
      () => false,
    );
    if (isOld) await rm(path, { force: true });
  }
}

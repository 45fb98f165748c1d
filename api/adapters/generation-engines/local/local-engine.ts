import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type {
  EngineAbilities,
  EngineFailure,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
  ModelChangeOrder,
  PhotosessionOrder,
  VideoOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { explainWorkFailure } from '#api/adapters/storage/disk-failures.ts';
import { isStorageFailure, ObjectNotFoundError, StorageFullError } from '#api/adapters/storage/object-storage.ts';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import { Semaphore } from '#api/platform/semaphore.ts';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import { ASPECT_RATIOS, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { buildKernel } from './kernel/build-kernel.ts';
import { findOutputs, keepOutput, partialPath, removeOutputs, removeStaleFiles, writePicture } from './output-files.ts';
import { PhotoUnsuitableError } from './photo-unsuitable-error.ts';
import { detectSubject, makePictures } from './picture-processes.ts';
import type { PictureTask } from './picture-work.ts';
import type * as RenderWork from './render-work.ts';
import type { RenderVideoTask } from './render-work.ts';

/** Share of the progress for preparing the layers. The frames make up the rest. */
const PREPARATION_SHARE = 0.15;
const CONCURRENCY = 2;
/** Nobody is replaced and nobody moves: the camera does. */
const ABILITIES: EngineAbilities = {
  video: { mover: 'camera', seconds: VIDEO_SECONDS, aspectRatios: ASPECT_RATIOS },
  model_change: { change: 'background_change' },
  photosession: { frames: 'views' },
  try_on: null,
};
const POLL_INTERVAL_MS = 500;

const renders = workIn<typeof RenderWork>(new URL('./render-work.ts', import.meta.url));

export interface LocalEngineOptions {
  /** The engine's own folder for unfinished and finished files. */
  workDir: string;
  /** Its name in VIDEO_ENCODER. */
  encoder: string;
  log: { info: (details: object, message: string) => void; error: (details: object, message: string) => void };
  /** For tests: another size than the order asks for, divisible by eight. */
  frameSize?: FrameSize;
}

type LocalOrder = VideoOrder | ModelChangeOrder | PhotosessionOrder;

interface Job {
  id: string;
  state: 'queued' | 'preparing' | 'running' | 'completed' | 'failed';
  share: number;
  failure?: EngineFailure;
  stop: AbortController;
  done: Promise<void>;
}

/**
 * The embedded engine. It moves the pixels of the photo on this machine's processor and needs no model. The same order
 * always gives the same pictures, so an order that a crash interrupted is simply started again.
 */
export async function createLocalEngine(options: LocalEngineOptions): Promise<GenerationEngine> {
  const { workDir } = options;
  await Promise.all([buildKernel(), mkdir(workDir, { recursive: true })]);
  await removeStaleFiles(workDir);
  const jobs = new Map<string, Job>();
  const turns = new Semaphore({ permits: CONCURRENCY, maxWaiting: Number.POSITIVE_INFINITY });

  async function forget(jobId: string): Promise<void> {
    const job = jobs.get(jobId);
    job?.stop.abort(new Error('the job was cancelled'));
    await job?.done;
    jobs.delete(jobId);
    await removeOutputs(workDir, jobId);
  }

  /** Whether the job runs here, or has left all its outputs. */
  async function isKnown(jobId: string): Promise<boolean> {
    const job = jobs.get(jobId);
    return job ? job.state !== 'failed' : (await findOutputs(workDir, jobId)).isComplete;
  }

  return {
    name: 'local',
    abilities: ABILITIES,
    photosTravel: 'nowhere',
    makesFinalFiles: true,
    outputsOfOrder: 'together',
    pollIntervalMs: POLL_INTERVAL_MS,
    concurrency: CONCURRENCY,
    submitTimeoutMs: 0,
    describeModel: () => 'local',
    priceOf: () => null,
    async submit(order) {
      if (order.kind === 'try_on') {
        const detail = 'this engine puts nothing on anybody';
        return { state: 'refused', failure: { code: 'engine_misconfigured', detail, shouldRetry: false } };
      }
      const id = jobIdOf(order);
      if (!(await isKnown(id))) {
        const job: Job = { id, state: 'queued', share: 0, stop: new AbortController(), done: Promise.resolve() };
        jobs.set(id, job);
        job.done = run(job, order, turns, options);
      }
      return { state: 'submitted', job: { id, details: {} } };
    },
    async findJob(order) {
      const id = jobIdOf(order);
      return (await isKnown(id)) ? { id, details: {} } : null;
    },
    async poll({ id: jobId }): Promise<EngineReport> {
      const job = jobs.get(jobId);
      if (job?.state === 'failed') return { state: 'failed', failure: job.failure! };
      if (job?.state === 'queued') return { state: 'queued' };
      // Read the state before the folder. The job may finish or fail in between, and a report must describe one moment.
      const unfinished = job && job.state !== 'completed' ? { state: job.state, share: job.share } : null;
      const { outputs, isComplete } = await findOutputs(workDir, jobId);
      if (unfinished) return { ...unfinished, outputs };
      return isComplete ? { state: 'completed', outputs } : { state: 'unknown' };
    },
    whenEnded(generationId) {
      const job = jobs.get(jobIdOf({ generationId }));
      return !job || job.state === 'completed' || job.state === 'failed' ? null : job.done;
    },
    async cancel({ id }) {
      await forget(id);
      return 'cancelled';
    },
    detectSubject,
    dispose: ({ id }) => forget(id),
    async close() {
      for (const job of jobs.values()) job.stop.abort(new Error('the engine is closing'));
      await Promise.all([...jobs.values()].map((job) => job.done));
      jobs.clear();
    },
  };
}

/** `mask`: the transparency that the photo's file had. */
type Source = Pick<PictureTask, 'photo' | 'mask'>;

/** Runs a job from its turn in the queue to the stored files. Never rejects; the job records what went wrong. */
async function run(job: Job, order: LocalOrder, turns: Semaphore, options: LocalEngineOptions): Promise<void> {
  const { workDir, log } = options;
  const { signal } = job.stop;
  const startedAt = performance.now();
  try {
    await turns.run(async () => {
      job.state = 'preparing';
      const source = {
        photo: await buffer(await order.photos.subject()),
        mask: order.subjectMask ? await buffer(await order.subjectMask()) : null,
      };
      if (order.kind === 'video') await makeVideo(job, order, source, options);
      else await makeStills(job, order, source, options);
      job.share = 1;
      job.state = 'completed';
      const milliseconds = Math.round(performance.now() - startedAt);
      log.info({ jobId: job.id, kind: order.kind, milliseconds }, 'local job done');
    }, signal);
  } catch (error) {
    const cause = await explainWorkFailure(error, workDir);
    await rm(partialPath(workDir, job.id), { force: true }).catch(() => {});
    if (signal.aborted) return;
    job.failure = describeFailure(cause);
    job.state = 'failed';
    log.error({ jobId: job.id, kind: order.kind, err: error }, 'local job failed');
  }
}

async function makeVideo(
  job: Job,
  order: VideoOrder,
  source: Source,
  { workDir, encoder, log, frameSize }: LocalEngineOptions,
): Promise<void> {
  const task: RenderVideoTask = {
    ...source,
    frame: frameSize ?? VIDEO_FRAME_SIZES[order.aspectRatio],
    category: order.category,
    motion: { preset: order.preset, durationSeconds: order.durationSeconds },
    encoder,
    outputPath: partialPath(workDir, job.id),
  };
  const options = { signal: job.stop.signal, onMessage: (share: number) => reportShare(job, share) };
  const { verdict } = await renders('renderVideo', task, options);
  await keepOutput(workDir, { jobId: job.id, position: 0, count: 1 }, 'mp4');
  log.info({ jobId: job.id, verdict }, 'local video rendered');
}

/** Makes the frames that are missing. Frames of an earlier run are kept. */
async function makeStills(
  job: Job,
  order: ModelChangeOrder | PhotosessionOrder,
  source: Source,
  { workDir, frameSize }: LocalEngineOptions,
): Promise<void> {
  const count = order.positions.length;
  const found = new Set((await findOutputs(workDir, job.id)).outputs.map(({ position }) => position));
  const task = await describeTask(order, source, found);
  let made = found.size;
  await makePictures({ ...task, frameSize }, job.stop.signal, async ({ jpeg, position }) => {
    await writePicture(workDir, { jobId: job.id, position, count }, jpeg);
    made++;
    reportShare(job, made / count);
  });
}

/** `share`: the part that is done of the work after the preparation. */
function reportShare(job: Job, share: number): void {
  job.state = 'running';
  job.share = PREPARATION_SHARE + (1 - PREPARATION_SHARE) * share;
}

/**
 * Derived from the order's id, so that a job is found again after a restart. Hashed, because it becomes a file name.
 */
function jobIdOf({ generationId }: Pick<GenerationOrder, 'generationId'>): string {
  return `local-${createHash('sha256').update(generationId).digest('hex').slice(0, 32)}`;
}

async function describeTask(
  order: ModelChangeOrder | PhotosessionOrder,
  source: Source,
  found: ReadonlySet<number>,
): Promise<PictureTask> {
  if (order.kind === 'model_change') {
    const background = order.background && (await buffer(await order.background.openImage()));
    return { kind: 'model_change', ...source, background, floor: order.background?.floor ?? null };
  }
  return { kind: 'photosession', ...source, positions: order.positions.filter((position) => !found.has(position)) };
}

/**
 * Errors of sharp are caused by the photo, which would fail again. A full disk stays full until somebody makes space.
 * Other errors may be temporary.
 */
function describeFailure(error: unknown): EngineFailure {
  const detail = error instanceof Error ? error.message : String(error);
  if (isStorageFailure(error)) {
    return { code: 'storage_failed', detail, shouldRetry: !(error instanceof StorageFullError) };
  }
  if (error instanceof ObjectNotFoundError) return { code: 'photo_lost', detail, shouldRetry: false };
  const isPhotoRefused =
    // The error has crossed from another process.
    (error instanceof Error && error.name === PhotoUnsuitableError.name) ||
    /unsupported image format|premature end|pixel limit|corrupt|Input buffer|VipsJpeg|Input file/i.test(detail);
  return isPhotoRefused
    ? { code: 'photo_unsuitable', detail, shouldRetry: false }
    : { code: 'engine_error', detail, shouldRetry: true };
}

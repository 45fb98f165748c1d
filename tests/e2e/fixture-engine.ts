import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type {
  EngineOutput,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { PHOTOSESSION_FRAMES } from '#shared/rules/prices.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';

/**
 * How the orders of an account are made. `instant`: at once. `held`: not until another pace is set. `begun`: the same,
 * but the first result is ready. `rendered`: by the local engine.
 */
export const PACES = ['instant', 'held', 'begun', 'rendered'] as const;
export type Pace = (typeof PACES)[number];

export interface FixtureEngine extends GenerationEngine {
  /** Sets the pace of new and running orders, except those that the local engine renders. */
  setPace(accountId: number, pace: Pace): void;
  /** Drops the running jobs of this account. */
  forget(accountId: number): void;
}

interface FixtureEngineOptions {
  /** Makes the orders of the pace `rendered`. */
  local: GenerationEngine;
  /** Folder of the prepared results. */
  folder: string;
  findAccountId(generationId: string): Promise<number>;
}

interface FixtureJob {
  accountId: number;
  kind: GenerationOrder['kind'];
}

/** Replaces the local engine in the browser tests. Its results are made beforehand. */
export async function createFixtureEngine(options: FixtureEngineOptions): Promise<FixtureEngine> {
  const { local, folder, findAccountId } = options;
  const files = await makeResults(folder);
  const jobs = new Map<string, FixtureJob>();
  const paces = new Map<number, Pace>();
  const paceOf = (accountId: number) => paces.get(accountId) ?? 'instant';

  return {
    name: local.name,
    abilities: local.abilities,
    photosTravel: local.photosTravel,
    makesFinalFiles: local.makesFinalFiles,
    outputsOfOrder: local.outputsOfOrder,
    submitTimeoutMs: local.submitTimeoutMs,
    describeModel: local.describeModel,
    priceOf: local.priceOf,
    pollIntervalMs: 100,
    // Held orders of one test must not keep those of others waiting.
    concurrency: 20,
    setPace: (accountId, pace) => void paces.set(accountId, pace),
    forget(accountId) {
      for (const [jobId, job] of jobs) if (job.accountId === accountId) jobs.delete(jobId);
    },
    async submit(order) {
      const accountId = await findAccountId(order.generationId);
      if (paceOf(accountId) === 'rendered') return local.submit(order);
      const id = `fixture-${order.generationId}`;
      jobs.set(id, { accountId, kind: order.kind });
      return { state: 'submitted', job: { id, details: {} } };
    },
    async poll(known, order): Promise<EngineReport> {
      const job = jobs.get(known.id);
      if (!job) return local.poll(known, order);
      const outputs = files[job.kind];
      switch (paceOf(job.accountId)) {
        case 'held':
          return { state: 'running', share: 0.5 };
        case 'begun':
          return { state: 'running', share: 0.5, outputs: outputs.slice(0, 1) };
        default:
          return { state: 'completed', outputs };
      }
    },
    async cancel(job) {
      if (jobs.delete(job.id)) return 'cancelled';
      return local.cancel?.(job) ?? 'runs_on';
    },
    detectSubject: async () => 'garment',
    async dispose(job) {
      if (!jobs.delete(job.id)) await local.dispose(job);
    },
    close: () => local.close(),
  };
}

async function makeResults(folder: string): Promise<Record<GenerationOrder['kind'], EngineOutput[]>> {
  await mkdir(folder, { recursive: true });
  const video = path.join(folder, 'video.mp4');
  await writeFile(video, (await drawTestVideo({ width: 360, height: 480 })).content);
  const picture = path.join(folder, 'picture.jpg');
  await writeFile(picture, await drawProductPhoto('garment', { width: 450, height: 600 }));
  const output = (file: string, contentType: EngineOutput['contentType'], position = 0): EngineOutput => ({
    contentType,
    position,
    open: async () => createReadStream(file),
  });
  return {
    video: [output(video, 'video/mp4')],
    model_change: [output(picture, 'image/jpeg')],
    try_on: [output(picture, 'image/jpeg')],
    photosession: Array.from({ length: PHOTOSESSION_FRAMES }, (_, position) => output(picture, 'image/jpeg', position)),
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type {
  EngineFailure,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { createRowId } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openCatalogueImage } from '#api/services/core/catalogue.ts';
import type { EngineRun } from '#prisma/generated/client.ts';
import { GENERATION_TIMEOUT_MS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import {
  DEFAULT_MOTION_PRESET,
  DEFAULT_NEGATIVE_PROMPT,
  PRESET_PROMPTS,
  resolveCategory,
} from '#shared/rules/motion-presets.ts';
import { DEFAULT_VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { noteFailedProbe, noteSuccess } from './engine-outages.ts';
import {
  beginProbe,
  findLiveProbe,
  forgetRun,
  isSubmitInterrupted,
  jobOf,
  recordFailed,
  recordSubmitted,
  recordSucceeded,
  recordUncertain,
  submitSeen,
} from './engine-runs.ts';

/**
 * Orders one output of a tool with the house's own sample photo, the first person of the catalogue. If that fails too,
 * the fault is the engine's, and the tool closes. Nothing of it is kept but its row in the books. Does nothing when the
 * tool was tried within the hour. Rejects with the signal's reason when the process stops, and may be called again.
 */
export async function probeEngine(
  app: AppContext,
  { engine: name, kind }: { engine: string; kind: GenerationKind },
  signal: AbortSignal,
): Promise<void> {
  const engine = app.engines.find(name);
  if (!engine) return;
  const live = await findLiveProbe(app, engine, kind);
  const run = live ? await resume(app, engine, live) : await submit(app, engine, kind);
  if (!run) return;
  const failure = await follow(app, engine, run, signal);
  if (failure) return endAsFailed(app, engine, run, failure);
  if (!(await recordSucceeded(app, run))) return;
  await noteSuccess(app, engine, kind, run.createdAt);
  await engine.dispose(jobOf(run));
  app.log.info({ engine: name, kind }, 'the sample of the house was made');
}

async function endAsFailed(app: AppContext, engine: GenerationEngine, run: EngineRun, failure: EngineFailure) {
  // Two jobs may follow one order. Whoever comes second finds that the engine has forgotten it.
  if (!(await recordFailed(app, run, failure))) return;
  const { code, detail } = failure;
  app.log.warn({ engine: engine.name, kind: run.kind, code, detail }, 'the sample of the house was not made either');
  await noteFailedProbe(app, engine, run.kind, failure);
  if (run.jobId !== null) await engine.dispose(jobOf(run));
}

/** Null when no order is to be made, or its submit came to nothing. */
async function submit(app: AppContext, engine: GenerationEngine, kind: GenerationKind): Promise<EngineRun | null> {
  const order = orderSample(app, engine, kind);
  const run = order && (await beginProbe(app, engine, order));
  if (!run) return null;
  let answer: Awaited<ReturnType<GenerationEngine['submit']>>;
  try {
    answer = await submitSeen(app, run, () => engine.submit(order));
  } catch (error) {
    app.log.warn({ err: error, engine: engine.name }, 'the sample of the house could not be handed in');
    await endAsFailed(app, engine, run, UNREACHABLE);
    return null;
  }
  if (answer.state === 'submitted') {
    await recordSubmitted(app, run, answer.job);
    return { ...run, jobId: answer.job.id, jobDetails: { ...answer.job.details } };
  }
  if (answer.state === 'refused') await endAsFailed(app, engine, run, answer.failure);
  // An engine that is busy with other orders works.
  else if (answer.state === 'busy') await forgetRun(app, run);
  else await recordUncertain(app, run);
  return null;
}

const UNREACHABLE: EngineFailure = {
  code: 'engine_overloaded',
  detail: 'orders cannot be handed in',
  shouldRetry: false,
};
const HANGING: EngineFailure = { code: 'engine_timed_out', detail: 'no result in half an hour', shouldRetry: false };
const FORGOTTEN: EngineFailure = { code: 'job_lost', detail: 'the engine has forgotten the job', shouldRetry: false };

/**
 * After the end of the process that began it. A submit that was interrupted is not looked for. Throws while it is not
 * known whether another process is submitting; the job is tried again.
 */
async function resume(app: AppContext, engine: GenerationEngine, run: EngineRun): Promise<EngineRun | null> {
  if (run.status === 'submitted') return run;
  if (!(await isSubmitInterrupted(app, engine, run))) throw new Error('the sample of the house is being handed in');
  await recordUncertain(app, run);
  return null;
}

/** Waits for the end of the job. Null when it was made. */
async function follow(
  app: AppContext,
  engine: GenerationEngine,
  run: EngineRun,
  signal: AbortSignal,
): Promise<EngineFailure | null> {
  while (Date.now() - run.createdAt.getTime() < GENERATION_TIMEOUT_MS) {
    const report: EngineReport | null = await engine.poll(jobOf(run), { positions: [0] }).catch((error: unknown) => {
      app.log.warn({ err: error, engine: engine.name }, 'the sample of the house cannot be asked for');
      return null;
    });
    if (report?.state === 'completed') return null;
    if (report?.state === 'failed') return report.failure;
    if (report?.state === 'unknown') return FORGOTTEN;
    await wait(engine.pollIntervalMs, undefined, { signal });
  }
  return HANGING;
}

/** Null without pictures in the catalogue, or when the engine does not make this tool. */
function orderSample(app: AppContext, { abilities }: GenerationEngine, kind: GenerationKind): GenerationOrder | null {
  const [person] = app.catalogue.models;
  const scene = app.catalogue.backgrounds.find(({ type }) => type !== 'keep_original');
  if (!person || !scene) return null;
  const runId = createRowId();
  const open = () => openCatalogueImage(app, person);
  const job = { generationId: runId, runId, positions: [0], webhookUrl: null, photos: { subject: open } };
  switch (kind) {
    case 'video':
      return {
        ...job,
        kind,
        preset: DEFAULT_MOTION_PRESET,
        category: resolveCategory(DEFAULT_MOTION_PRESET),
        prompt: PRESET_PROMPTS[DEFAULT_MOTION_PRESET],
        negativePrompt: DEFAULT_NEGATIVE_PROMPT,
        cfgScale: 0.5,
        durationSeconds: abilities.video?.seconds[0] ?? DEFAULT_VIDEO_SECONDS,
        aspectRatio: abilities.video?.aspectRatios[0] ?? '3:4',
      };
    case 'model_change': {
      const background = { id: scene.id, floor: scene.floor, openImage: () => openCatalogueImage(app, scene) };
      const gender = person.category === 'men' ? 'man' : 'woman';
      const isReplaced = abilities.model_change?.change === 'model_change';
      return { ...job, kind, background, model: isReplaced ? { id: person.id, gender, openImage: open } : null };
    }
    case 'photosession':
      return { ...job, kind };
    case 'try_on':
      return { ...job, kind, photos: { subject: open, person: open }, category: 'auto' };
  }
}

import { createFakeComfyui } from '#tests/support/fake-comfyui.ts';
import { createFakeFal } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS, modelError } from '#tests/support/fake-fal-rules.ts';

/** Long enough for the page to show a wait, in milliseconds. */
const FAL_PACE = { queued: 300, running: 1_500 };
const COMFYUI_STEP_MS = 50;

/** The fake of an engine, in the words of a journey. */
export interface FakeProvider {
  /** The settings of a program that uses it. */
  settings: Record<string, string>;
  /** Running and new jobs wait, each until `finishOldest`. */
  hold(): void;
  /** False while no job waits. */
  finishOldest(): Promise<boolean>;
  /** The next job fails because of its photo. */
  refuseNext(): void;
  /** Jobs fail until the operator does something. */
  breakDown(): void;
  /** Everything is as it was after the start. */
  recover(): void;
}

/** Starts the fake of this engine. Throws when there is none. */
export async function startFakeProvider(engine: string | undefined): Promise<FakeProvider> {
  switch (engine) {
    case 'fal':
      return startFal();
    case 'comfyui':
      return startComfyui();
    default:
      throw new Error(`There is no fake of the engine ${engine}.`);
  }
}

async function startFal(): Promise<FakeProvider> {
  const fal = await createFakeFal({ pace: FAL_PACE });
  return {
    settings: fal.settings,
    hold: () => fal.behave({ fate: { kind: 'running' }, times: Number.POSITIVE_INFINITY }),
    async finishOldest() {
      const job = fal.jobs.find(({ state }) => state === 'IN_PROGRESS');
      if (job) await fal.finish(job.id);
      return job !== undefined;
    },
    refuseNext: () => fal.behave({ fate: { kind: 'failed', answer: modelError('content_policy_violation') } }),
    breakDown: () => fal.behave({ call: ['submit', FAL_ANSWERS.unfunded], times: Number.POSITIVE_INFINITY }),
    recover: fal.recover,
  };
}

async function startComfyui(): Promise<FakeProvider> {
  const comfyui = await createFakeComfyui({ stepMs: COMFYUI_STEP_MS });
  return {
    settings: { COMFYUI_URLS: comfyui.url },
    hold: () => comfyui.behave({ stepMs: null }),
    async finishOldest() {
      const isRunning = comfyui.jobs.some(({ state }) => state === 'running');
      if (isRunning) await comfyui.finish();
      return isRunning;
    },
    refuseNext: () =>
      comfyui.endNext({
        kind: 'error',
        nodeType: 'LoadImage',
        exceptionType: 'PIL.UnidentifiedImageError',
        message: 'cannot identify image file',
      }),
    breakDown: () =>
      comfyui.endNext({
        kind: 'error',
        nodeType: 'UNETLoader',
        exceptionType: 'FileNotFoundError',
        message: 'No such file or directory',
      }),
    recover: () => comfyui.behave({ stepMs: COMFYUI_STEP_MS }),
  };
}

import { buffer } from 'node:stream/consumers';
import { fitToFrame, shrinkPhoto, UnreadablePhotoError } from '#api/adapters/generation-engines/fit-photo.ts';
import type {
  EngineAbilities,
  GenerationEngine,
  GenerationOrder,
  JobPrice,
  SubmitAnswer,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { listPictures, type Prompt, writePrompt } from '#api/adapters/generation-engines/prompts.ts';
import { ASPECT_RATIOS, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { createFalClient, type FalAccess, type FalClient } from './fal-client.ts';
import { FalRefusedError, FalUnreachableError } from './fal-errors.ts';
import { PICTURE_FAMILIES, TRY_ON_FAMILIES, VIDEO_FAMILIES } from './fal-families.ts';
import { createFalHosts, type FalHosts } from './fal-hosts.ts';
import { cancelJob, pollJob } from './fal-jobs.ts';
import type { FalModels } from './fal-models.ts';
import { createWebhookReader, type FalWebhookAccess } from './fal-webhooks.ts';

export interface FalOptions extends FalAccess {
  models: FalModels;
  /** Null: fal is not asked to send notifications. */
  webhooks: FalWebhookAccess | null;
  /** 3 seconds by default. */
  pollIntervalMs?: number;
}

const POLL_INTERVAL_MS = 3_000;
/** Following a job is one small request at a time. fal itself queues what is over the account's limit. */
const CONCURRENCY = 20;
/** For decoding and uploading the pictures of an order. Afterwards the order is not sent any more. */
const PREPARATION_TIMEOUT_MS = 120_000;
const SUBMIT_TIMEOUT_MS = PREPARATION_TIMEOUT_MS + 60_000;
/** More pixels do not improve the results of editing models. */
const PICTURE_MAX_SIDE = 2048;

/** Makes results with hosted models of fal.ai, which are paid by the run. */
export function createFalEngine(options: FalOptions): GenerationEngine {
  const hosts = createFalHosts([options.queueUrl, options.restUrl], options.models.hosts);
  const fal: Fal = { client: createFalClient(options, hosts), hosts, models: options.models };
  const { models } = fal;
  return {
    name: 'fal',
    abilities: listAbilities(models),
    photosTravel: 'abroad',
    isDemonstration: isOnThisMachine(options.queueUrl),
    makesFinalFiles: false,
    outputsOfOrder: 'apart',
    pollIntervalMs: options.pollIntervalMs ?? POLL_INTERVAL_MS,
    concurrency: CONCURRENCY,
    submitTimeoutMs: SUBMIT_TIMEOUT_MS,
    describeModel: (order) => chooseModel(models, order).id,
    priceOf(work): JobPrice | null {
      const micros = work.kind === 'video' ? models.video?.prices[work.durationSeconds] : models[work.kind]?.price;
      return micros === undefined ? null : { micros, currency: models.currency };
    },
    submit: (order) => submit(fal, order),
    poll: (job, { positions }) => pollJob(fal, job, positions),
    cancel: (job) => cancelJob(fal, job),
    ...(options.webhooks ? { parseWebhook: createWebhookReader(options.webhooks) } : {}),
    check: () => fal.client.check(describeAnyModel(models)),
    // fal removes the files by itself, and keeps no inputs and outputs of the run.
    dispose: async () => undefined,
    close: async () => undefined,
  };
}

/** One of the models in use. All are called with the same key. */
function describeAnyModel({ video, model_change, photosession, try_on }: FalModels): string | undefined {
  return (video ?? model_change ?? photosession ?? try_on)?.id;
}

/** fal itself is never here, so a fake is. */
function isOnThisMachine(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

interface Fal {
  client: FalClient;
  hosts: FalHosts;
  models: FalModels;
}

function listAbilities({ video, model_change, photosession, try_on }: FalModels): EngineAbilities {
  const seconds = VIDEO_SECONDS.filter((length) => video?.prices[length] !== undefined);
  return {
    video: video ? { mover: 'person', seconds, aspectRatios: ASPECT_RATIOS } : null,
    model_change: model_change ? { change: 'model_change' } : null,
    photosession: photosession ? { frames: 'poses' } : null,
    try_on: try_on ? true : null,
  };
}

function chooseModel(models: FalModels, order: GenerationOrder) {
  const describe = <Model extends object>(model: Model | undefined): Model => {
    if (model) return model;
    throw new Error(`the table of fal's models has none for ${order.kind}`);
  };
  if (order.kind === 'video') {
    const { family, ...model } = describe(models.video);
    const { limits, write } = VIDEO_FAMILIES[family];
    const writeInput = (words: Prompt, urls: readonly string[]) => write(words, urls, order);
    return { ...model, limits, writeInput };
  }
  if (order.kind === 'try_on') {
    const { family, ...model } = describe(models.try_on);
    const { limits, write } = TRY_ON_FAMILIES[family];
    return { ...model, limits, writeInput: (words: Prompt, urls: readonly string[]) => write(words, urls, order) };
  }
  const { family, ...model } = describe(models[order.kind]);
  const { limits, write: writeInput } = PICTURE_FAMILIES[family];
  return { ...model, limits, writeInput };
}

async function submit({ client, models }: Fal, order: GenerationOrder): Promise<SubmitAnswer> {
  const [position] = order.positions;
  if (position === undefined || order.positions.length > 1) throw new Error('fal makes one output in a job');
  const { id, limits, writeInput, inputs } = chooseModel(models, order);
  const deadline = Date.now() + PREPARATION_TIMEOUT_MS;
  const signal = AbortSignal.timeout(PREPARATION_TIMEOUT_MS);
  const urls: string[] = [];
  try {
    for (const { open } of listPictures(order)) {
      urls.push(await client.upload(await preparePicture(order, await buffer(await open())), signal));
    }
  } catch (error) {
    if (error instanceof FalRefusedError) return { state: 'refused', failure: error.failure };
    if (!(error instanceof UnreadablePhotoError)) throw error;
    const failure = { code: 'photo_unsuitable', detail: error.message, shouldRetry: false } as const;
    return { state: 'refused', failure };
  }
  // The caller may take an older submit for one that has ended.
  if (Date.now() > deadline) throw new FalUnreachableError('the preparation took too long');
  const input = { ...writeInput(writePrompt(order, position, limits), urls), ...inputs };
  return client.submit(id, input, order.webhookUrl);
}

/** A video begins with its picture, so the picture gets the ordered ratio. */
function preparePicture(order: GenerationOrder, photo: Buffer): Promise<Buffer> {
  return order.kind === 'video'
    ? fitToFrame(photo, VIDEO_FRAME_SIZES[order.aspectRatio])
    : shrinkPhoto(photo, PICTURE_MAX_SIDE);
}

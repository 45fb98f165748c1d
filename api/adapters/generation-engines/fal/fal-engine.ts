import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { fitToFrame, shrinkPhoto, UnreadablePhotoError } from '#api/adapters/generation-engines/fit-photo.ts';
import type {
  EngineAbilities,
  EngineFailureCode,
  EngineJob,
  EngineOutput,
  EngineReport,
  GenerationEngine,
  GenerationOrder,
  JobPrice,
  SubmitAnswer,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { listPictures, type Prompt, writePrompt } from '#api/adapters/generation-engines/prompts.ts';
import { ASPECT_RATIOS, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { createFalClient, type FalAccess, type FalClient, jobAddresses } from './fal-client.ts';
import { FalRefusedError, FalUnreachableError } from './fal-errors.ts';
import { describesJob, explainFailure, type FalReply } from './fal-failures.ts';
import { PICTURE_FAMILIES, TRY_ON_FAMILIES, VIDEO_FAMILIES } from './fal-families.ts';
import { inspectFile, openFile } from './fal-files.ts';
import { createFalHosts, type FalHosts } from './fal-hosts.ts';
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
  const hosts = createFalHosts([options.queueUrl, options.restUrl]);
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
    priceOf(order): JobPrice | null {
      const { micros } = chooseModel(models, order);
      return micros === null ? null : { micros, currency: models.currency };
    },
    submit: (order) => submit(fal, order),
    poll: (job, { positions }) => poll(fal, job, positions),
    cancel: (job) => cancel(fal, job),
    ...(options.webhooks ? { parseWebhook: createWebhookReader(options.webhooks) } : {}),
    // fal removes the files by itself, and keeps no inputs and outputs of the run.
    dispose: async () => undefined,
    close: async () => undefined,
  };
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

/** The model for an order, and how its inputs are written. */
function chooseModel(models: FalModels, order: GenerationOrder) {
  const describe = <Model extends object>(model: Model | undefined): Model => {
    if (model) return model;
    throw new Error(`the table of fal's models has none for ${order.kind}`);
  };
  if (order.kind === 'video') {
    const { family, prices, ...model } = describe(models.video);
    const { limits, write } = VIDEO_FAMILIES[family];
    const writeInput = (words: Prompt, urls: readonly string[]) => write(words, urls, order);
    return { ...model, limits, writeInput, micros: prices[order.durationSeconds] ?? null };
  }
  if (order.kind === 'try_on') {
    const { family, price: micros, ...model } = describe(models.try_on);
    const { limits, write } = TRY_ON_FAMILIES[family];
    return {
      ...model,
      limits,
      writeInput: (words: Prompt, urls: readonly string[]) => write(words, urls, order),
      micros,
    };
  }
  const { family, price: micros, ...model } = describe(models[order.kind]);
  const { limits, write: writeInput } = PICTURE_FAMILIES[family];
  return { ...model, limits, writeInput, micros };
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

/** The addresses of a job. Null when they were not written by this engine or do not lead to fal. */
function readAddresses(hosts: FalHosts, { details }: EngineJob): z.output<typeof jobAddresses> | null {
  const addresses = jobAddresses.safeParse(details).data;
  return addresses && Object.values(addresses).every(hosts.isApi) ? addresses : null;
}

async function poll({ client, hosts }: Fal, job: EngineJob, positions: readonly number[]): Promise<EngineReport> {
  const addresses = readAddresses(hosts, job);
  const state = addresses && (await client.readState(addresses.statusUrl));
  if (!state) return { state: 'unknown' };
  if (state === 'IN_QUEUE') return { state: 'queued' };
  if (state === 'IN_PROGRESS') return { state: 'running', share: null };
  return readResult(hosts, await client.readResult(addresses.responseUrl), positions);
}

const file = z.object({ url: z.url(), content_type: z.string().nullish() });
const result = z.union([
  z.object({ video: file }).transform(({ video }) => [video]),
  z.object({ images: z.array(file) }).transform(({ images }) => images),
]);

/** A failed job is reported as completed. The answer to the request for its result tells. */
async function readResult(hosts: FalHosts, reply: FalReply, positions: readonly number[]): Promise<EngineReport> {
  if (reply.status === 404 || reply.status === 410) return failCharged('job_lost', 'the result is gone', true);
  if (reply.status >= 300) {
    if (describesJob(reply)) return { state: 'failed', failure: explainFailure(reply) };
    throw new FalUnreachableError(`the result was answered by ${reply.status}`);
  }
  const files = result.safeParse(reply.body).data?.slice(0, positions.length);
  if (!files || files.length === 0) return failCharged('engine_error', 'the result has no file', true);
  const outputs: EngineOutput[] = [];
  for (const [index, { url, content_type }] of files.entries()) {
    const contentType = outputType.safeParse(content_type ?? guessType(url)).data;
    if (!contentType) return failCharged('engine_error', `the result is of the type ${content_type}`, false);
    const found = await inspectFile(hosts, url);
    if (found === 'foreign') return failCharged('engine_error', 'the result is at an unknown host', false);
    if (found === 'gone') return failCharged('job_lost', 'the file of the result is gone', true);
    if (found === 'too_large') return failCharged('engine_error', 'the file of the result is too large', false);
    outputs.push({ contentType, position: positions[index] ?? 0, open: () => openFile(hosts, url) });
  }
  return { state: 'completed', outputs };
}

const outputType = z.enum(['video/mp4', 'image/jpeg', 'image/png', 'image/webp']);
const TYPES_BY_NAME: Record<string, z.output<typeof outputType>> = {
  ...{ mp4: 'video/mp4', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' },
};

function guessType(url: string): string | undefined {
  return TYPES_BY_NAME[/\.(\w+)$/.exec(new URL(url).pathname)?.[1] ?? ''];
}

/** The job ran, so it was paid for. */
function failCharged(code: EngineFailureCode, detail: string, shouldRetry: boolean): EngineReport {
  return { state: 'failed', failure: { code, detail, shouldRetry, isCharged: true } };
}

/** Only a waiting job is removed. One that runs is paid for, and its result may still be wanted. */
async function cancel({ client, hosts }: Fal, job: EngineJob): Promise<'cancelled' | 'runs_on'> {
  const addresses = readAddresses(hosts, job);
  const before = addresses && (await client.readState(addresses.statusUrl));
  if (!before) return 'cancelled';
  if (before !== 'IN_QUEUE') return 'runs_on';
  await client.cancel(addresses.cancelUrl);
  // It may have begun in between, and then it only got a signal.
  const after = await client.readState(addresses.statusUrl);
  if (after !== 'COMPLETED') return after === 'IN_PROGRESS' ? 'runs_on' : 'cancelled';
  const { status } = await client.readResult(addresses.responseUrl);
  return status < 300 ? 'runs_on' : 'cancelled';
}

import { randomInt } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fitToFrame, shrinkPhoto, UnreadablePhotoError } from '#api/adapters/generation-engines/fit-photo.ts';
import type {
  GenerationEngine,
  GenerationOrder,
  SubmitAnswer,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { listPictures, writePrompt } from '#api/adapters/generation-engines/prompts.ts';
import { type ComfyuiClient, type NodeCatalogue, SERVER_FOLDER } from './comfyui-client.ts';
import { describeFollowed, describeJob, nameOutput, nameTemplate, type ReducedOutputs } from './engine-job.ts';
import type { JobProgress } from './job-progress.ts';
import { ComfyuiError } from './server-calls.ts';
import { type ComfyuiServer, misconfigured, type Servers } from './servers.ts';
import {
  chooseSize,
  fillTemplate,
  findResultNode,
  takesNegative,
  type WorkflowTemplate,
} from './workflow-templates.ts';

/** Covers the choice of a server, reading its nodes, the uploads and the start of the job. Later, nothing is sent. */
const START_TIMEOUT_MS = 180_000;
/** With the look for a job whose answer was lost. */
export const SUBMIT_TIMEOUT_MS = START_TIMEOUT_MS + 60_000;
/** Text encoders of these models read more than this. */
const PROMPT_CHARACTERS = 2_000;
/** The nodes work on one megapixel. */
const PICTURE_MAX_SIDE = 2048;
/** Sides of the second attempt after the GPU ran out of memory. */
const REDUCED_SCALE = 0.75;
/** `randomInt` goes no further. Servers take 2^64 - 1. */
const SEED_LIMIT = 2 ** 48 - 1;

interface SubmitParts {
  servers: Servers;
  templates: readonly WorkflowTemplate[];
  progress: JobProgress;
  reduced: ReducedOutputs;
}

/** Starts an order on the least busy server. A server that fails before the start is replaced by the next one. */
export function createSubmit({ servers, templates, progress, reduced }: SubmitParts): GenerationEngine['submit'] {
  return async (order) => {
    const template = templates.find(({ file }) => file === nameTemplate(order));
    if (!template) return refuse(`there is no template ${nameTemplate(order)}`);
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    for (;;) {
      const choice = await servers.choose();
      if (choice.state === 'busy') return { state: 'busy' };
      if (choice.state === 'away') {
        if (choice.failure) return { state: 'refused', failure: choice.failure };
        throw new ComfyuiError('unreachable', 'no ComfyUI server can be reached');
      }
      const { server, nodes, release } = choice;
      try {
        const isReduced = reduced.has(nameOutput(order));
        const answer = await submitTo(server, { template, nodes, order, isReduced, signal });
        if (answer.state === 'submitted') progress.follow(describeFollowed(answer.job));
        return answer;
      } catch (error) {
        if (!(error instanceof ComfyuiError)) throw error;
        server.setAside(error);
      } finally {
        release();
      }
    }
  };
}

interface Submission {
  template: WorkflowTemplate;
  nodes: NodeCatalogue;
  order: GenerationOrder;
  isReduced: boolean;
  signal: AbortSignal;
}

/** Throws ComfyuiError when nothing was started and another server may take the job. */
async function submitTo({ url, client }: ComfyuiServer, submission: Submission): Promise<SubmitAnswer> {
  const { template, order, isReduced, signal } = submission;
  const taken = (id: string): SubmitAnswer => ({
    state: 'submitted',
    job: describeJob({ id, serverUrl: url, template, order, isReduced }),
  });
  let isSent = false;
  try {
    const workflow = await fillWorkflow(client, submission);
    isSent = true;
    const { id, faults } = await client.submit(workflow, order.runId, signal);
    const fault = faults.get(findResultNode(template));
    if (fault === undefined) return taken(id);
    // The server has left out the result and makes the other outputs, which nobody wants.
    await client.stop(id).catch(() => {});
    return refuse(`${template.file}: ${fault}`);
  } catch (error) {
    if (error instanceof UnreadablePhotoError) {
      return { state: 'refused', failure: { code: 'photo_unsuitable', detail: error.message, shouldRetry: false } };
    }
    if (!(error instanceof ComfyuiError)) throw error;
    if (error.fault === 'rejected' || error.fault === 'too_large') return refuse(`${template.file}: ${error.message}`);
    if (!isSent || error.fault !== 'unanswered') throw error;
    // Asked at once, because a second job would keep another GPU busy with the same order.
    const found = await client.findOwnJob(order.runId).catch(() => null);
    return found === null ? { state: 'uncertain', detail: error.message } : taken(found);
  }
}

/** Uploads the pictures and fills the template with them. */
async function fillWorkflow(client: ComfyuiClient, { template, nodes, order, isReduced, signal }: Submission) {
  const isVideo = order.kind === 'video';
  const scale = isReduced ? REDUCED_SCALE : 1;
  const size = chooseSize(template, nodes, { aspectRatio: isVideo ? order.aspectRatio : null, scale });
  const images: string[] = [];
  for (const [index, picture] of listPictures(order).entries()) {
    const photo = await buffer(await picture.open());
    // The nodes would cut off what does not fit the frame of a video.
    const content = isVideo && size ? await fitToFrame(photo, size) : await shrinkPhoto(photo, PICTURE_MAX_SIDE);
    images.push(await client.upload({ name: `${order.runId}-${index + 1}.jpg`, content }, signal));
  }
  const limits = { text: PROMPT_CHARACTERS, negative: takesNegative(template) ? PROMPT_CHARACTERS : 0 };
  const words = writePrompt(order, order.positions[0] ?? 0, limits);
  return fillTemplate(template, {
    prompt: words.text,
    negative: words.negative,
    images,
    seed: randomInt(SEED_LIMIT),
    // The server repeats old results for the same seed, and its old files for the same prefix.
    filenamePrefix: `${SERVER_FOLDER}/${order.runId}`,
    size,
    seconds: isVideo ? order.durationSeconds : null,
  });
}

function refuse(detail: string): SubmitAnswer {
  return { state: 'refused', failure: misconfigured(detail) };
}

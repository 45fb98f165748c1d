import { z } from 'zod';
import type {
  EngineFailureCode,
  EngineJob,
  EngineOutput,
  EngineReport,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { NAME_ENDING } from '#shared/rules/outside-text.ts';
import { type FalClient, jobAddresses } from './fal-client.ts';
import { FalUnreachableError } from './fal-errors.ts';
import { describesJob, explainFailure, type FalReply } from './fal-failures.ts';
import { inspectFile, openFile } from './fal-files.ts';
import type { FalHosts } from './fal-hosts.ts';

interface Fal {
  client: FalClient;
  hosts: FalHosts;
}

/** The addresses of a job. Null when they were not written by this engine or do not lead to fal. */
function readAddresses(hosts: FalHosts, { details }: EngineJob): z.output<typeof jobAddresses> | null {
  const addresses = jobAddresses.safeParse(details).data;
  return addresses && Object.values(addresses).every(hosts.isApi) ? addresses : null;
}

export async function pollJob(
  { client, hosts }: Fal,
  job: EngineJob,
  positions: readonly number[],
): Promise<EngineReport> {
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
    const contentType = outputType.safeParse(VAGUE_TYPES.has(content_type) ? guessType(url) : content_type).data;
    if (!contentType) return failCharged('engine_error', `the result is of the type ${content_type}`, false);
    const { state, host } = await inspectFile(hosts, url);
    if (state === 'foreign') return failHost(host);
    if (state === 'gone') return failCharged('job_lost', 'the file of the result is gone', true);
    if (state === 'too_large') return failCharged('engine_error', 'the file of the result is too large', false);
    outputs.push({ contentType, position: positions[index] ?? 0, open: () => openFile(hosts, url) });
  }
  return { state: 'completed', outputs };
}

const outputType = z.enum(['video/mp4', 'image/jpeg', 'image/png', 'image/webp']);
/** They say less than the name of the file. */
const VAGUE_TYPES = new Set<unknown>([undefined, null, 'application/octet-stream', 'binary/octet-stream', 'image/jpg']);
const TYPES_BY_NAME: Record<string, z.output<typeof outputType>> = {
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

function guessType(url: string): string | undefined {
  return TYPES_BY_NAME[NAME_ENDING.exec(new URL(url).pathname)?.[1] ?? ''];
}

/** Every further run would be paid for and lost, too, until the operator adds the host to the table. */
function failHost(host: string): EngineReport {
  return failCharged('engine_misconfigured', `the result is at an unknown host, ${host}`, false);
}

/** The job ran, so it was paid for. */
function failCharged(code: EngineFailureCode, detail: string, shouldRetry: boolean): EngineReport {
  return { state: 'failed', failure: { code, detail, shouldRetry, isCharged: true } };
}

/** Only a waiting job is removed. One that runs is paid for, and its result may still be wanted. */
export async function cancelJob({ client, hosts }: Fal, job: EngineJob): Promise<'cancelled' | 'runs_on'> {
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

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EngineJob, SubmitAnswer } from '#api/adapters/generation-engines/generation-engine.ts';
import { wasNeverSent } from '#api/platform/never-sent.ts';
import { parseJson } from '#api/platform/parse-json.ts';
import { describeOrigin } from '#api/platform/request-context.ts';
import { abortAfter } from '#api/platform/with-timeout.ts';
import { describeError, FalRefusedError, FalUnreachableError } from './fal-errors.ts';
import { explainRefusal, type FalReply } from './fal-failures.ts';
import type { FalHosts } from './fal-hosts.ts';

export interface FalAccess {
  key: string;
  queueUrl: string;
  restUrl: string;
  /** For one call. 30 seconds by default. */
  callTimeoutMs?: number;
}

const CALL_TIMEOUT_MS = 30_000;
/** fal removes photos and results after this time. It covers the wait, the run and the copying. */
const FILE_LIFETIME = JSON.stringify({ expiration_duration_seconds: 60 * 60 });
/** fal gives up a job that has not begun by then. Soon after, the person gets the stars back. */
const START_DEADLINE_SECONDS = 25 * 60;

interface CallOptions {
  json?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
type Call = (method: string, url: string, options?: CallOptions) => Promise<FalReply>;

export type FalClient = ReturnType<typeof createFalClient>;

/** fal's HTTP interface. Each call is sent once. */
export function createFalClient(
  { key, queueUrl, restUrl, callTimeoutMs = CALL_TIMEOUT_MS }: FalAccess,
  hosts: FalHosts,
) {
  /** Rejects as fetch does. */
  const call: Call = async (method, url, { json, headers, signal } = {}) => {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Key ${key}`,
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...describeOrigin(),
        ...headers,
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
      redirect: 'manual',
      signal: abortAfter(callTimeoutMs, signal),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseJson(text) ?? text };
  };
  /** For calls that start nothing. */
  const ask: Call = (...request) =>
    call(...request).catch((error: unknown) => {
      throw new FalUnreachableError('the connection failed', error);
    });

  return {
    /** Stores a JPEG for a short time and returns its address. Throws FalUnreachableError, FalRefusedError. */
    upload: (jpeg: Buffer, signal: AbortSignal) =>
      upload(ask, `${restUrl}/storage/upload/initiate`, hosts, jpeg, signal),

    /** Starts a paid run. Throws FalUnreachableError only when the order was certainly not sent. */
    async submit(model: string, input: object, webhookUrl: string | null): Promise<SubmitAnswer> {
      const query = webhookUrl === null ? '' : `?${new URLSearchParams({ fal_webhook: webhookUrl })}`;
      const headers = {
        // fal keeps neither the inputs nor the outputs of the run.
        'x-fal-store-io': '0',
        'x-fal-object-lifecycle-preference': FILE_LIFETIME,
        'x-fal-request-timeout': `${START_DEADLINE_SECONDS}`,
      };
      try {
        return readSubmitted(await call('POST', `${queueUrl}/${model}${query}`, { headers, json: input }), hosts);
      } catch (error) {
        if (wasNeverSent(error)) throw new FalUnreachableError('the order could not be sent', error);
        return { state: 'uncertain', detail: `the connection broke: ${describeError(error)}` };
      }
    },

    /**
     * Asks for a job that does not exist, which only a valid key may do. Throws FalUnreachableError, FalRefusedError.
     */
    async check(model = 'fal-ai/any'): Promise<void> {
      const [owner, app] = model.split('/');
      const reply = await ask('GET', `${queueUrl}/${owner}/${app}/requests/${randomUUID()}/status`);
      const failure = reply.status === 401 || reply.status === 403 ? explainRefusal(reply) : null;
      if (failure) throw new FalRefusedError(failure);
      if (reply.status >= 500) throw new FalUnreachableError(`the status was answered by ${reply.status}`);
    },

    /** Null when fal has no such job. Throws FalUnreachableError. */
    async readState(url: string): Promise<JobState | null> {
      const { status, body } = await ask('GET', url);
      if (status === 404) return null;
      const parsed = jobStatus.safeParse(body).data;
      if (status < 300 && parsed) return parsed.status;
      throw new FalUnreachableError(`the status was answered by ${status}`);
    },
    /** Throws FalUnreachableError. */
    readResult: (url: string) => ask('GET', url),
    /** Asks for the job to be stopped, which may come too late. Throws FalUnreachableError. */
    async cancel(url: string): Promise<void> {
      const { status } = await ask('PUT', url);
      // 400: it has ended. 404: there is no such job.
      if (status >= 300 && status !== 400 && status !== 404) {
        throw new FalUnreachableError(`a cancellation was answered by ${status}`);
      }
    },
  };
}

/** A failed job is `COMPLETED`, too. */
const jobStatus = z.object({ status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']) });
type JobState = z.output<typeof jobStatus>['status'];

const uploadPlace = z.object({ upload_url: z.url(), file_url: z.url() });

async function upload(ask: Call, url: string, hosts: FalHosts, jpeg: Buffer, signal: AbortSignal): Promise<string> {
  const reply = await ask('POST', `${url}?storage_type=fal-cdn-v3`, {
    headers: { 'x-fal-object-lifecycle': FILE_LIFETIME },
    json: { content_type: 'image/jpeg', file_name: 'photo.jpg' },
    signal,
  });
  const place = uploadPlace.safeParse(reply.body).data;
  if (reply.status >= 300 || !place) {
    const failure = explainRefusal(reply);
    if (failure) throw new FalRefusedError(failure);
    throw new FalUnreachableError(`an upload was answered by ${reply.status}`);
  }
  const unknown = [place.upload_url, place.file_url].find((address) => !hosts.isFile(address));
  if (unknown !== undefined) {
    const detail = `the storage is at an unknown host, ${new URL(unknown).host}`;
    throw new FalRefusedError({ code: 'engine_misconfigured', detail, shouldRetry: false });
  }
  const stored = await fetch(place.upload_url, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(jpeg),
    redirect: 'error',
    signal,
  }).catch((error: unknown) => {
    throw new FalUnreachableError('a photo could not be sent', error);
  });
  await stored.body?.cancel();
  if (!stored.ok) throw new FalUnreachableError(`the storage answered ${stored.status}`);
  return place.file_url;
}

/** The addresses of a job as they are stored. They cannot be built: they lack the end of the model's id. */
export const jobAddresses = z.object({ statusUrl: z.url(), responseUrl: z.url(), cancelUrl: z.url() });

const submitted = z
  .object({ request_id: z.string().min(1), status_url: z.url(), response_url: z.url(), cancel_url: z.url() })
  .transform(
    ({ request_id, status_url, response_url, cancel_url }): EngineJob => ({
      id: request_id,
      details: { statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url },
    }),
  );

function readSubmitted(reply: FalReply, hosts: FalHosts): SubmitAnswer {
  if (reply.status < 300) {
    const job = submitted.safeParse(reply.body).data;
    return job && Object.values(job.details).every(hosts.isApi)
      ? { state: 'submitted', job }
      : { state: 'uncertain', detail: 'the order was taken, and the answer cannot be used' };
  }
  const failure = explainRefusal(reply);
  return failure ? { state: 'refused', failure } : { state: 'uncertain', detail: `answered by ${reply.status}` };
}

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type {
  EngineFailure,
  GenerationEngine,
  GenerationOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { listPictures, writePrompt } from '#api/adapters/generation-engines/prompts.ts';

const taken = z.object({ id: z.string() });
const job = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['waiting', 'drawing']) }),
  z.object({ state: z.literal('drawn'), file: z.string() }),
  z.object({ state: z.literal('refused'), reason: z.enum(['content', 'picture', 'other']) }),
]);
const CODES = { content: 'content_refused', picture: 'photo_unsuitable', other: 'engine_error' } as const;

/** An engine for an imaginary service that draws one picture a job. */
export function createExampleEngine({ url, key }: { url: string; key: string }): GenerationEngine {
  function call(path: string, body?: object): Promise<Response> {
    return fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
  }

  return {
    name: 'example',
    abilities: {
      video: null,
      model_change: { change: 'model_change' },
      photosession: { frames: 'poses' },
      try_on: null,
    },
    photosTravel: 'abroad',
    makesFinalFiles: false,
    outputsOfOrder: 'apart',
    pollIntervalMs: 1_000,
    concurrency: 4,
    submitTimeoutMs: 35_000,
    describeModel: () => 'example-1',
    priceOf: () => ({ micros: 20_000, currency: 'USD' }),
    async submit(order) {
      const body = await describe(order);
      let answer: Response;
      try {
        answer = await call('/jobs', body);
      } catch (error) {
        // Nobody listens, so nothing was started. After any other break the job may exist.
        if (isRefusedConnection(error)) throw error;
        return { state: 'uncertain', detail: String(error) };
      }
      if (answer.status === 402) return refuse('engine_unfunded', 'no balance');
      if (answer.status === 401) return refuse('engine_misconfigured', 'the key is not accepted');
      if (answer.status === 503) return refuse('engine_overloaded', 'busy', true);
      if (answer.status === 422) return refuse('photo_unsuitable', 'the picture cannot be read');
      const read = taken.safeParse(await answer.json().catch(() => null));
      if (!read.success) return { state: 'uncertain', detail: `an answer ${answer.status} without an id` };
      return { state: 'submitted', job: { id: read.data.id, details: {} } };
    },
    async poll({ id }, { positions }) {
      const answer = await call(`/jobs/${encodeURIComponent(id)}`);
      if (answer.status === 404) return { state: 'unknown' };
      const report = job.parse(await answer.json());
      if (report.state === 'waiting') return { state: 'queued' };
      if (report.state === 'refused') return { state: 'failed', failure: fail(CODES[report.reason], report.reason) };
      if (report.state !== 'drawn') return { state: 'running', share: null };
      const { file } = report;
      const open = async () => Readable.from(Buffer.from(await (await call(file)).arrayBuffer()));
      return {
        state: 'completed',
        outputs: positions.map((position) => ({ contentType: 'image/png', position, open })),
      };
    },
    async dispose() {},
    async close() {},
  };
}

async function describe(order: GenerationOrder) {
  const { text } = writePrompt(order, order.positions[0] ?? 0, { text: 2_000, negative: 0 });
  const pictures = await Promise.all(listPictures(order).map(async ({ open }) => buffer(await open())));
  return { prompt: text, pictures: pictures.map((picture) => picture.toString('base64')) };
}

function fail(code: EngineFailure['code'], detail: string, shouldRetry = false): EngineFailure {
  return { code, detail, shouldRetry };
}

function refuse(code: EngineFailure['code'], detail: string, shouldRetry = false) {
  return { state: 'refused' as const, failure: fail(code, detail, shouldRetry) };
}

function isRefusedConnection(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND'].includes((error as { cause?: { code?: string } }).cause?.code ?? '');
}

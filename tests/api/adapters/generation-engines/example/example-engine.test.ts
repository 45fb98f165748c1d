import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import { describeEngine } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import { listen } from '#tests/support/listen.ts';
import { createExampleEngine } from './example-engine.ts';

const KEY = 'a key of the imaginary service';

interface Job {
  polls: number;
  refusal: 'content' | 'picture' | 'other' | null;
}

/** The imaginary service: it draws a green picture at the third poll, or does what the test says. */
async function createService() {
  const jobs = new Map<string, Job>();
  const next: { status?: number; refusal?: Job['refusal']; isLost?: boolean; isHeld?: boolean } = {};
  const send = (response: ServerResponse, status: number, body?: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) return send(response, 401);
    if (request.method === 'POST') {
      const { pictures } = (await json(request)) as { pictures: string[] };
      if (next.status) return send(response, next.status);
      const sizes = pictures.map((picture) => sharp(Buffer.from(picture, 'base64')).metadata());
      if ((await Promise.allSettled(sizes)).some(({ status }) => status === 'rejected')) return send(response, 422);
      const id = randomUUID();
      jobs.set(id, { polls: 0, refusal: next.refusal ?? null });
      return next.isLost ? response.destroy() : send(response, 200, { id });
    }
    if (request.url === '/file') {
      const green = { width: 600, height: 800, channels: 3, background: '#20a060' } as const;
      return response.end(await sharp({ create: green }).png().toBuffer());
    }
    const job = jobs.get(request.url?.replace('/jobs/', '') ?? '');
    if (!job) return send(response, 404);
    job.polls++;
    if (next.isHeld || job.polls < 2) return send(response, 200, { state: 'drawing' });
    if (job.refusal) return send(response, 200, { state: 'refused', reason: job.refusal });
    return send(response, 200, { state: 'drawn', file: '/file' });
  });
  const { port, close } = await listen(server);
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, jobs, next, close };
}

describeEngine(
  async () => {
    const { url, jobs, next, close } = await createService();
    const refused = (what: string, status: number, code: 'engine_unfunded' | 'engine_overloaded') => ({
      what,
      code,
      cause: () => void Object.assign(next, { status }),
      shouldRetry: code === 'engine_overloaded',
      isRefused: true,
    });
    return {
      createEngine: async () => ({ ...createExampleEngine({ url, key: KEY }), pollIntervalMs: 5 }),
      countTaken: () => jobs.size,
      failures: [
        refused('no balance', 402, 'engine_unfunded'),
        refused('no capacity', 503, 'engine_overloaded'),
        {
          what: 'content',
          cause: () => void Object.assign(next, { refusal: 'content' }),
          code: 'content_refused',
          shouldRetry: false,
        },
        {
          what: 'a fault',
          cause: () => void Object.assign(next, { refusal: 'other' }),
          code: 'engine_error',
          shouldRetry: false,
        },
      ],
      disconnect: close,
      loseNextAnswer: () => void Object.assign(next, { isLost: true }),
      hold: () => void Object.assign(next, { isHeld: true }),
      unknownJob: { id: randomUUID(), details: {} },
    };
  },
  { kinds: ['model_change', 'photosession'], remembersJobs: true },
);

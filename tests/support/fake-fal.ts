import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import {
  assertPicture,
  FAKE_FAL_MODELS,
  type FakeFalFile,
  FakeFalInputError,
  type FakeFalWork,
} from './fake-fal-models.ts';
import {
  type CountedRule,
  FAL_ANSWERS,
  FAULTY_TYPES,
  type FalAnswer,
  type FalCall,
  type FalFate,
  type FalRule,
  takeRule,
} from './fake-fal-rules.ts';
import { createWebhookSigner, deliverWebhook, type FalWebhookFault } from './fake-fal-webhooks.ts';
import { listen } from './listen.ts';

export const FAKE_FAL_KEY = 'fake-key-id:fake-key-secret';
export const FAKE_FAL_USER = 'auth0|podium';

export interface FakeFalJob {
  id: string;
  model: string;
  input: unknown;
  headers: IncomingMessage['headers'];
  webhookUrl: string | null;
  state: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED';
  fate: FalFate | null;
  polls: number;
  /** Statuses of the answers to its notifications. */
  deliveries: number[];
  /** The answer to a request for its result. */
  result: FalAnswer | null;
}

export type FakeFal = Awaited<ReturnType<typeof createFakeFal>>;

interface FakeFalOptions {
  /** How long a job waits and runs, in milliseconds. By default it takes one step at each poll. */
  pace?: { queued: number; running: number };
  /** Makes a model see other pictures than it was given, so that garments drift. */
  distort?: (pictures: Buffer[]) => Promise<Buffer[]>;
}

interface State {
  base: string;
  signer: ReturnType<typeof createWebhookSigner>;
  rules: CountedRule[];
  pace: FakeFalOptions['pace'];
  distort: FakeFalOptions['distort'];
  jobs: FakeFalJob[];
  /** Results by the path of their address. */
  files: Map<string, ResultFile>;
  uploads: Map<string, { content: Buffer; contentType: string; lifecycle: string | undefined }>;
  calls: Record<FalCall | 'foreign' | 'fileWithKey', number>;
}
interface ResultFile {
  contentType: string;
  draw: () => Promise<Buffer>;
  fault: Extract<FalFate, { kind: 'file' }>['fault'] | null;
}

/** fal's queue, storage, keys and notifications as documented, over HTTP. It shares no code with the adapter. */
export async function createFakeFal({ pace, distort }: FakeFalOptions = {}) {
  const signer = createWebhookSigner(FAKE_FAL_USER);
  const calls = {
    initiate: 0,
    put: 0,
    submit: 0,
    status: 0,
    result: 0,
    cancel: 0,
    file: 0,
    jwks: 0,
    foreign: 0,
    fileWithKey: 0,
  };
  const state: State = {
    base: '',
    signer,
    rules: [],
    pace,
    distort,
    calls,
    jobs: [],
    files: new Map(),
    uploads: new Map(),
  };
  const server = createServer((request, response) => {
    serve(state, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const { port, close } = await listen(server);
  state.base = `http://127.0.0.1:${port}`;
  return {
    /** The settings of a server that uses the fake. */
    settings: {
      FAL_KEY: FAKE_FAL_KEY,
      FAL_QUEUE_URL: `${state.base}/queue`,
      FAL_REST_URL: `${state.base}/rest`,
      FAL_JWKS_URL: `${state.base}/rest/.well-known/jwks.json`,
      FAL_USER_ID: FAKE_FAL_USER,
    },
    /** All jobs that were taken, oldest first. Each is a paid run. */
    jobs: state.jobs,
    /**
     * Calls so far. `foreign`: under another host name than the one in the settings. `fileWithKey`: for files, with the
     * key that they need not know.
     */
    calls,
    uploads: state.uploads,
    countTaken: () => state.jobs.length,
    /** Adds a rule. The first rule that fits counts. */
    behave: (rule: FalRule) => void state.rules.push({ times: 1, ...rule }),
    /** Removes all rules. Waiting jobs go on. */
    recover() {
      state.rules.length = 0;
      for (const job of state.jobs) if (isHeld(job)) job.fate = null;
    },
    /** Ends a job now and notifies. */
    finish: (id: string) => complete(state, getJob(state, id)),
    /** A notification about a job, signed but not sent. */
    signWebhook: (id: string, fault?: FalWebhookFault) => signer.sign(getJob(state, id), fault),
    rotateKeys: signer.rotateKeys,
    close,
  };
}

function isHeld({ fate }: FakeFalJob): boolean {
  return fate?.kind === 'queued' || fate?.kind === 'running';
}

function getJob({ jobs }: State, id: string): FakeFalJob {
  const job = jobs.find((one) => one.id === id);
  if (!job) throw new Error(`the fake has no job ${id}`);
  return job;
}

interface Handled {
  call: FalCall;
  needsKey: boolean;
  /** Does what was asked and returns the answer. */
  act: () => FalAnswer | Promise<FalAnswer>;
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.base);
  if (`http://${request.headers.host}` !== state.base) state.calls.foreign++;
  const handled = route(state, request, url, await buffer(request));
  if (!handled) return send(response, { status: 404, body: { detail: 'Not found' } });
  const { call, needsKey, act } = handled;
  state.calls[call]++;
  const fault = takeRule(state.rules, 'call', call)?.[1];
  if (fault === 'hang') return;
  if (fault === 'cut') return void response.destroy();
  if (typeof fault === 'object') return send(response, fault);
  if (needsKey && request.headers.authorization !== `Key ${FAKE_FAL_KEY}`) {
    return send(response, FAL_ANSWERS.unauthorized);
  }
  if (!needsKey && request.headers.authorization) state.calls.fileWithKey++;
  if (call === 'file') return sendFile(state, request, response, url);
  const answer = await act();
  if (fault === 'take_and_cut') return void response.destroy();
  if (fault !== 'take_and_hang') send(response, answer);
}

function send(response: ServerResponse, { status, body, headers }: FalAnswer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body ?? {}));
}

function route(state: State, request: IncomingMessage, url: URL, body: Buffer): Handled | null {
  const { pathname } = url;
  const method = request.method ?? 'GET';
  if (pathname === '/rest/.well-known/jwks.json') {
    return { call: 'jwks', needsKey: false, act: () => ({ status: 200, body: state.signer.jwks() }) };
  }
  if (pathname === '/rest/storage/upload/initiate' && method === 'POST') {
    return { call: 'initiate', needsKey: true, act: () => initiateUpload(state, request, url, body) };
  }
  if (pathname.startsWith('/upload/') && method === 'PUT') {
    return { call: 'put', needsKey: false, act: () => storeUpload(state, request, pathname, body) };
  }
  if (pathname.startsWith('/files/')) return { call: 'file', needsKey: false, act: () => ({ status: 200 }) };
  const queued = /^\/queue\/([\w.-]+\/[\w.-]+)((?:\/[\w.-]+)*)$/.exec(pathname);
  if (!queued) return null;
  const [, app = '', rest = ''] = queued;
  const asked = /^\/requests\/([\w-]+)(?:\/(status|cancel))?$/.exec(rest);
  if (!asked) {
    const model = app + rest;
    return method === 'POST'
      ? { call: 'submit', needsKey: true, act: () => takeJob(state, request, url, model, body) }
      : null;
  }
  const call = asked[2] === 'status' || asked[2] === 'cancel' ? asked[2] : 'result';
  if (method !== (call === 'cancel' ? 'PUT' : 'GET')) return null;
  const job = state.jobs.find(({ id, model }) => id === asked[1] && `${model}/`.startsWith(`${app}/`));
  if (!job) {
    return { call, needsKey: true, act: () => ({ status: 404, body: { detail: 'Request not found' } }) };
  }
  const act = { status: reportStatus, result: reportResult, cancel: cancelJob }[call];
  return { call, needsKey: true, act: () => act(state, job) };
}

function initiateUpload(state: State, request: IncomingMessage, url: URL, body: Buffer): FalAnswer {
  const { content_type, file_name } = JSON.parse(body.toString()) as Record<string, unknown>;
  if (url.searchParams.get('storage_type') !== 'fal-cdn-v3' || !content_type || !file_name) {
    return { status: 422, body: { detail: 'content_type and file_name are needed' } };
  }
  const path = `${randomUUID()}/${file_name}`;
  const lifecycle = request.headers['x-fal-object-lifecycle'];
  state.uploads.set(`${state.base}/files/${path}`, {
    content: Buffer.alloc(0),
    contentType: String(content_type),
    lifecycle: typeof lifecycle === 'string' ? lifecycle : undefined,
  });
  return { status: 200, body: { upload_url: `${state.base}/upload/${path}`, file_url: `${state.base}/files/${path}` } };
}

function storeUpload(state: State, request: IncomingMessage, pathname: string, content: Buffer): FalAnswer {
  const upload = state.uploads.get(`${state.base}${pathname.replace('/upload/', '/files/')}`);
  if (!upload || request.headers['content-type'] !== upload.contentType) return { status: 403 };
  upload.content = content;
  return { status: 200 };
}

function takeJob(state: State, request: IncomingMessage, url: URL, model: string, body: Buffer): FalAnswer {
  if (!FAKE_FAL_MODELS[model]) return { status: 404, body: { detail: `Application "${model}" not found` } };
  const job: FakeFalJob = {
    id: randomUUID(),
    model,
    input: JSON.parse(body.toString()),
    headers: request.headers,
    webhookUrl: url.searchParams.get('fal_webhook'),
    state: 'IN_QUEUE',
    fate: takeRule(state.rules, 'fate') ?? null,
    polls: 0,
    deliveries: [],
    result: null,
  };
  state.jobs.push(job);
  if (state.pace) void runAtPace(state, job, state.pace);
  const body_ = { status: 'IN_QUEUE', queue_position: 0, gateway_request_id: job.id };
  return { status: 200, body: { ...body_, ...describeAddresses(state, job) }, headers: { 'x-fal-request-id': job.id } };
}

/** The addresses have only the owner and the app of the model. */
function describeAddresses({ base }: State, { id, model }: FakeFalJob) {
  const url = `${base}/queue/${model.split('/').slice(0, 2).join('/')}/requests/${id}`;
  return { request_id: id, response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

async function runAtPace(state: State, job: FakeFalJob, { queued, running }: { queued: number; running: number }) {
  await wait(queued, undefined, { ref: false });
  if (job.state === 'IN_QUEUE') job.state = 'IN_PROGRESS';
  await wait(running, undefined, { ref: false });
  if (!isHeld(job) && job.state !== 'CANCELLED') await complete(state, job);
}

async function reportStatus(state: State, job: FakeFalJob): Promise<FalAnswer> {
  if (!state.pace) await takeStep(state, job);
  const addresses = describeAddresses(state, job);
  if (job.state === 'IN_QUEUE') return { status: 200, body: { status: job.state, queue_position: 0, ...addresses } };
  if (job.state === 'CANCELLED') return { status: 404, body: { detail: 'Request not found' } };
  const metrics = job.state === 'COMPLETED' ? { metrics: { inference_time: 61.2 } } : {};
  return { status: 200, body: { status: job.state, logs: [], ...addresses, ...metrics } };
}

/** One poll sees it waiting, one running, and the third its end. */
async function takeStep(state: State, job: FakeFalJob): Promise<void> {
  job.polls++;
  if (job.polls > 1 && job.state === 'IN_QUEUE' && job.fate?.kind !== 'queued') job.state = 'IN_PROGRESS';
  if (job.polls > 2 && job.state === 'IN_PROGRESS' && !isHeld(job)) await complete(state, job);
}

function reportResult(_state: State, job: FakeFalJob): FalAnswer {
  return job.result ?? { status: 400, body: { detail: 'Request is still in progress' } };
}

/** A waiting job is removed. A running one only gets a signal, which this one does not heed. */
function cancelJob(_state: State, job: FakeFalJob): FalAnswer {
  if (job.state === 'COMPLETED') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  if (job.state === 'CANCELLED') return { status: 404, body: { status: 'NOT_FOUND' } };
  if (job.state === 'IN_QUEUE') job.state = 'CANCELLED';
  return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
}

async function complete(state: State, job: FakeFalJob): Promise<void> {
  if (job.state === 'COMPLETED') return;
  job.result = await runModel(state, job);
  job.state = 'COMPLETED';
  const fault = takeRule(state.rules, 'webhook');
  if (job.webhookUrl !== null) {
    job.deliveries.push(...(await deliverWebhook(job.webhookUrl, state.signer.sign(job, fault))));
  }
}

async function runModel(state: State, { id, model, input, fate }: FakeFalJob): Promise<FalAnswer> {
  if (fate?.kind === 'failed') return fate.answer;
  try {
    const work = FAKE_FAL_MODELS[model]?.(input) as FakeFalWork;
    const pictures: Buffer[] = [];
    for (const url of work.pictureUrls) pictures.push(await assertPicture(state.uploads.get(url)?.content, url));
    const seen = (await state.distort?.(pictures)) ?? pictures;
    const fault = fate?.kind === 'file' ? fate.fault : null;
    const files = (fate?.kind === 'no_files' ? [] : work.files).map((file): FakeFalFile => {
      const path = `/files/${id}/${file.name}`;
      state.files.set(path, { contentType: file.contentType, draw: () => file.draw(seen), fault });
      const base = fault === 'foreign' ? state.base.replace('127.0.0.1', 'localhost') : state.base;
      const content_type = FAULTY_TYPES[fault ?? ''] ?? file.contentType;
      return { url: `${base}${path}`, content_type, file_name: file.name, file_size: 100_000 };
    });
    return { status: 200, body: work.describe(files) };
  } catch (error) {
    if (error instanceof FakeFalInputError) return { status: 422, body: { detail: error.detail } };
    throw error;
  }
}

async function sendFile(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const upload = state.uploads.get(`${state.base}${url.pathname}`);
  const file = state.files.get(url.pathname);
  if (file?.fault === 'redirect') {
    const location = `${state.base.replace('127.0.0.1', 'localhost')}${url.pathname}`;
    return void response.writeHead(302, { location }).end();
  }
  if (file?.fault === 'endless') {
    response.writeHead(200, { 'content-type': file.contentType });
    const part = Buffer.alloc(1024 * 1024);
    while (request.method === 'GET' && !response.destroyed) {
      if (!response.write(part)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    return void response.end();
  }
  const found = upload ?? (file && file.fault !== 'missing' ? { ...file, content: await file.draw() } : null);
  if (!found) return send(response, { status: 404, body: { detail: 'Not found' } });
  const content = file?.fault === 'broken' ? Buffer.from('not what it says') : found.content;
  const contentType = file?.fault === 'wrong_type' ? 'image/gif' : found.contentType;
  response.writeHead(200, { 'content-type': contentType, 'content-length': content.length });
  response.end(request.method === 'HEAD' ? undefined : content);
}

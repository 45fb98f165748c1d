import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describeNodes, type FakeWorkflow, listNodeClasses } from './fake-comfyui-nodes.ts';
import { createFakeRunner, type FakeComfyuiBehaviour } from './fake-comfyui-runner.ts';
import { VERSIONS } from './fake-comfyui-versions.ts';
import { listen } from './listen.ts';
import { type SendingSocket, serveWebSocket } from './serve-websocket.ts';

/** What goes wrong with a call. `lose_answer` and `keep_answer`: the call has its effect. */
export type ComfyuiFault = { status: number } | 'cut' | 'hang' | 'lose_answer' | 'keep_answer';

const USUAL: FakeComfyuiBehaviour = {
  stepMs: null,
  version: '0.26.0',
  token: null,
  proxyAnswer: null,
  maxBody: 100 * 1024 * 1024,
  missingModels: [],
  missingNodes: [],
  endsSteps: false,
  cutsDownloads: false,
  hasWebSocket: true,
};

export type FakeComfyui = Awaited<ReturnType<typeof createFakeComfyui>>;

const FOREIGN_WORKFLOW: FakeWorkflow = {
  '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'ComfyUI' } },
};

/** A ComfyUI server over HTTP and websocket, controlled by a test. It shares no code with the adapter. */
export async function createFakeComfyui(changes: Partial<FakeComfyuiBehaviour> = {}) {
  const behaviour = { ...USUAL, ...changes };
  const uploads = new Map<string, Buffer>();
  const calls: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  const faults: { path: string; fault: ComfyuiFault }[] = [];
  const actions: { path: string; action: () => Promise<void> }[] = [];
  const sockets = new Map<string, SendingSocket>();
  const runner = createFakeRunner({ behaviour, uploads, listeners: sockets });

  async function upload(request: Request): Promise<object | null> {
    const form = await request.formData();
    const image = form.get('image');
    if (!(image instanceof File)) return null;
    const content = Buffer.from(await image.arrayBuffer());
    const subfolder = String(form.get('subfolder') ?? '');
    const place = (name: string) => (subfolder ? `${subfolder}/${name}` : name);
    const [, stem, extension] = /^(.*?)(\.\w+)?$/.exec(image.name) ?? [];
    let name = image.name;
    for (let copy = 1; form.get('overwrite') !== 'true' && isOther(uploads.get(place(name)), content); copy++) {
      name = `${stem} (${copy})${extension ?? ''}`;
    }
    uploads.set(place(name), content);
    return { name, subfolder, type: 'input' };
  }

  async function answer(method: string, url: URL, request: Request): Promise<{ status: number; answer?: unknown }> {
    const { pathname } = url;
    const jobId = /^\/api\/jobs\/([^/]+)$/.exec(pathname)?.[1];
    if (jobId && VERSIONS[behaviour.version].hasJobsApi) {
      const found = runner.findJob(jobId);
      return found ? { status: 200, answer: found } : { status: 404, answer: { error: 'Job not found' } };
    }
    const path = pathname.replace(/^\/api\//, '/');
    const readBody = async () => JSON.parse((await request.text()) || '{}') as Record<string, unknown>;
    switch (`${method} ${path.replace(/^\/history\/.+/, '/history/:id')}`) {
      case 'POST /prompt':
        return runner.submit(await readBody());
      case 'GET /queue':
        return { status: 200, answer: runner.describeQueue() };
      case 'POST /queue':
        runner.remove(((await readBody()).delete as string[]) ?? []);
        return { status: 200 };
      case 'POST /interrupt':
        runner.interrupt((await readBody()).prompt_id);
        return { status: 200 };
      case 'GET /history':
        return { status: 200, answer: runner.listHistory() };
      case 'GET /history/:id':
        return { status: 200, answer: runner.listHistory(path.split('/')[2]) };
      case 'POST /history':
        for (const id of ((await readBody()).delete as string[]) ?? []) runner.forget(id);
        return { status: 200 };
      case 'POST /upload/image': {
        const uploaded = await upload(request);
        return uploaded ? { status: 200, answer: uploaded } : { status: 400 };
      }
      case 'GET /object_info':
        return { status: 200, answer: describeNodes(listNodeClasses(behaviour)) };
      default:
        return { status: 404, answer: '404: Not Found' };
    }
  }

  /** What stands before the server. Null when the call may pass. */
  function refuse({ headers }: IncomingMessage, body: Buffer): number | null {
    if (behaviour.proxyAnswer) return behaviour.proxyAnswer;
    if (behaviour.token !== null && headers.authorization !== `Bearer ${behaviour.token}`) return 401;
    // On loopback a foreign Origin is refused.
    if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return 403;
    return body.length > behaviour.maxBody ? 413 : null;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', `http://${headers.host}`);
    calls.push({ method, path: url.pathname, headers });
    const body = await buffer(request);
    const next = actions.findIndex(({ path }) => url.pathname.startsWith(path));
    if (next >= 0) await actions.splice(next, 1)[0]?.action();
    const at = faults.findIndex(({ path }) => url.pathname.startsWith(path));
    const fault = at < 0 ? null : faults.splice(at, 1)[0]?.fault;
    if (fault === 'hang') return;
    if (fault === 'cut') return void response.destroy();
    const refused = typeof fault === 'object' && fault ? fault.status : refuse(request, body);
    if (refused) return void response.writeHead(refused, { 'content-type': 'text/html' }).end('<h1>proxy</h1>');
    if (/^(GET|HEAD)$/.test(method) && /^(\/api)?\/view$/.test(url.pathname)) {
      return sendFile(method, url.searchParams, response);
    }
    const parsed = new Request(url, {
      method,
      headers: asHeaders(headers),
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const made = await answer(method, url, parsed).catch(() => ({ status: 500, answer: '500: Internal Server Error' }));
    if (fault === 'lose_answer') return void response.destroy();
    if (fault === 'keep_answer') return;
    const isText = typeof made.answer === 'string' || made.answer === undefined;
    response.writeHead(made.status, { 'content-type': isText ? 'text/plain' : 'application/json' });
    response.end(isText ? made.answer : JSON.stringify(made.answer));
  }

  function sendFile(method: string, asked: URLSearchParams, response: ServerResponse): void {
    const name = asked.get('filename') ?? '';
    const subfolder = asked.get('subfolder') ?? '';
    // Names that leave the folder of outputs. Neither answer has a body.
    if (name === '' || name.startsWith('/') || name.includes('..')) return void response.writeHead(400).end();
    if (subfolder.split('/').includes('..') || subfolder.startsWith('/')) return void response.writeHead(403).end();
    const content = asked.get('type') === 'output' && runner.files.get([subfolder, name].filter(Boolean).join('/'));
    if (!content) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': content.length, 'content-disposition': `filename="${name}"` });
    if (method === 'HEAD' || !behaviour.cutsDownloads) return void response.end(content);
    response.write(content.subarray(0, content.length / 2), () => response.destroy());
  }

  function openSocket(request: IncomingMessage, stream: Duplex): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
    calls.push({ method: 'GET', path: pathname, headers: request.headers });
    const refused = behaviour.hasWebSocket ? refuse(request, Buffer.alloc(0)) : 404;
    if (refused) return void stream.end(`HTTP/1.1 ${refused} Refused\r\n\r\n`);
    const clientId = searchParams.get('clientId') ?? randomUUID();
    const socket = serveWebSocket(request, stream, () => {
      if (sockets.get(clientId) === socket) sockets.delete(clientId);
    });
    sockets.set(clientId, socket);
    const status = { exec_info: { queue_remaining: runner.countQueued() } };
    socket.sendText(JSON.stringify({ type: 'status', data: { status, sid: clientId } }));
  }

  function restart(): void {
    runner.restart();
    for (const socket of sockets.values()) socket.cut();
    sockets.clear();
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.on('upgrade', openSocket);
  const { port, close } = await listen(server);
  async function stop(): Promise<void> {
    for (const socket of sockets.values()) socket.cut();
    await close();
  }

  return {
    /** A value of COMFYUI_URLS. */
    url: `http://127.0.0.1:${port}`,
    /** All accepted jobs since the start, oldest first. */
    jobs: runner.jobs,
    /** The folder of outputs. */
    files: runner.files,
    /** The folder of inputs, by subfolder and name. */
    uploads,
    calls,
    /** The process restarts: queue, history and connections are gone, files stay. */
    restart,
    /** Listens again at the same address. */
    async start() {
      await listen(server, port);
    },
    /** Nobody listens at the address any more. */
    stop,
    /** Open websockets. */
    countListeners: () => sockets.size,
    behave: (next: Partial<FakeComfyuiBehaviour>) => void Object.assign(behaviour, next),
    /** The next call whose path begins like this has the fault. */
    failNext: (path: string, fault: ComfyuiFault) => void faults.push({ path, fault }),
    /** Does something before the next call whose path begins like this is answered. */
    beforeNext: (path: string, action: () => Promise<void>) => void actions.push({ path, action }),
    /** The next jobs that end do so in this way. Others succeed. */
    endNext: runner.endNext,
    /** The ids of the jobs that the server remembers. */
    listRemembered: () => Object.keys(runner.listHistory()),
    /** Somebody else starts a job, in the browser. Returns its id. */
    addForeignJob() {
      const { answer } = runner.submit({ prompt: structuredClone(FOREIGN_WORKFLOW) });
      return (answer as { prompt_id: string }).prompt_id;
    },
    /** The running job goes on by so many sampler steps. */
    step: (steps = 1) => runner.step(steps),
    /** The running job ends, and its entry is in the history. */
    finish: runner.finish,
    async close() {
      runner.restart();
      await stop();
    },
  };
}

function isOther(found: Buffer | undefined, content: Buffer): boolean {
  return found !== undefined && !found.equals(content);
}

function asHeaders(headers: IncomingMessage['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}

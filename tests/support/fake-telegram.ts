import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { answerMethod, FAKE_TOKEN, type FakeState, RefusedError } from './fake-telegram-methods.ts';

export { FAKE_TOKEN };

/** What goes wrong with the next calls of a method. */
export type Mishap =
  | { kind: 'refuse'; status: number; description: string; retryAfter?: number }
  /** The call has its effect, but no answer comes. */
  | { kind: 'hang_up' }
  /** The call has its effect, but the answer is not JSON. */
  | { kind: 'garble' }
  /** Of a download: half of the file comes, and then nothing. */
  | { kind: 'stall' }
  /** The call has its effect, and its answer only when `until` resolves. With `chatId` only one about that chat. */
  | { kind: 'hold'; until: Promise<void>; chatId?: number };

/** Telegram's Bot API, as far as we use it, over HTTP: JSON and multipart, long polling and webhooks, files. */
export interface FakeTelegram extends FakeState {
  apiRoot: string;
  /** Queues an update, as if a person had acted. Returns its id. */
  push(update: Record<string, unknown>): number;
  /** Queues an update again with its old id. */
  repeat(updateId: number): void;
  /** The number of updates that the bot has not taken yet. */
  countWaiting(): number;
  /** Adds a file that a person sends. Returns its id. */
  addFile(content: Buffer, size?: number): string;
  /** Makes the next `times` calls of the method go wrong. */
  upset(method: string, mishap: Mishap, times?: number): void;
  close(): Promise<void>;
}

export async function createFakeTelegram(): Promise<FakeTelegram> {
  const state: FakeState = {
    calls: [],
    messages: [],
    files: new Map(),
    webhook: null,
    blockedBy: new Set(),
    refundedCharges: new Set(),
    starTransactions: [],
    nextMessageId: 100,
    behindWebhook: null,
    localFiles: null,
    answersAtOnce: false,
    polledAt: [],
    conflicts: 0,
  };
  const queue: { update_id: number; body: Record<string, unknown> }[] = [];
  const sent = new Map<number, Record<string, unknown>>();
  const mishaps = new Map<string, Mishap[]>();
  let nextUpdateId = 1000;
  let wake = () => {};
  const closing = new AbortController();
  let listener: ServerResponse | null = null;

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error as Error);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', apiRoot).pathname;
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
    if (file) {
      const content = state.files.get(file[2] ?? '')?.content;
      const mishap = mishaps.get('download')?.shift();
      if (mishap?.kind === 'hold') await mishap.until;
      if (mishap?.kind === 'refuse' || !content || state.localFiles) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-length': content.length });
      if (mishap?.kind === 'stall') return void response.write(content.subarray(0, content.length / 2));
      return void response.end(content);
    }
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    const payload = await readPayload(request);
    if (token !== FAKE_TOKEN) {
      state.calls.push({ method, payload, refused: 'Unauthorized' });
      return reply(response, 401, { description: 'Unauthorized' });
    }
    const mishap = takeMishap(method, payload.chat_id);
    if (mishap?.kind === 'refuse') {
      const { status, description, retryAfter } = mishap;
      state.calls.push({ method, payload, refused: description });
      const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
      return reply(response, status, { description, ...parameters });
    }
    if (method === 'getUpdates' && mishap?.kind !== 'garble') {
      state.calls.push({ method, payload });
      state.polledAt.push(performance.now());
      return listen(payload, response);
    }
    if (method === 'getUpdates') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    try {
      const result = answerMethod(state, method, payload);
      state.calls.push({ method, payload });
      if (mishap?.kind === 'hold') await mishap.until;
      if (mishap?.kind === 'hang_up') return void response.destroy();
      if (mishap?.kind === 'garble') return void response.writeHead(502).end('<html>Bad Gateway</html>');
      reply(response, 200, { result });
      if (method === 'setWebhook') void deliver();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      state.calls.push({ method, payload, refused: error.description });
      reply(response, error.status, { description: error.description });
    }
  }

  function takeMishap(method: string, chatId: unknown): Mishap | undefined {
    const waiting = mishaps.get(method) ?? [];
    const isMeant = (one: Mishap) => one.kind !== 'hold' || one.chatId === undefined || one.chatId === Number(chatId);
    const at = waiting.findIndex(isMeant);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  }

  async function listen(payload: Record<string, unknown>, response: ServerResponse): Promise<void> {
    if (listener && !listener.destroyed) {
      state.conflicts += 1;
      reply(listener, 409, { description: 'Conflict: terminated by other getUpdates request' });
    }
    listener = response;
    const offset = Number(payload.offset ?? 0);
    // Everything before the offset counts as taken.
    for (let at = queue.length - 1; at >= 0; at--) if ((queue[at]?.update_id ?? 0) < offset) queue.splice(at, 1);
    const deadline = Date.now() + (state.answersAtOnce ? 0 : Number(payload.timeout ?? 0) * 1000);
    const isListening = () => listener === response && !response.destroyed && !closing.signal.aborted;
    while (queue.length === 0 && Date.now() < deadline && isListening()) {
      const called = Promise.withResolvers<void>();
      wake = called.resolve;
      await Promise.race([called.promise, wait(100)]);
    }
    if (listener !== response) return;
    listener = null;
    reply(response, 200, { result: queue.slice(0, 100).map(({ update_id, body }) => ({ update_id, ...body })) });
  }

  /** Repeats each update until the webhook answers 2xx, as Telegram does. */
  async function deliver(): Promise<void> {
    while (state.webhook && queue.length > 0 && !closing.signal.aborted) {
      const [next] = queue;
      if (!next) return;
      const { pathname } = new URL(state.webhook.url);
      const url = state.behindWebhook ? state.behindWebhook + pathname : state.webhook.url;
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-telegram-bot-api-secret-token': state.webhook.secretToken,
        },
        body: JSON.stringify({ update_id: next.update_id, ...next.body }),
      }).catch(() => null);
      // Another delivery may have removed the update already.
      const at = queue.indexOf(next);
      if (!answer?.ok) await wait(100);
      else if (at >= 0) queue.splice(at, 1);
    }
  }

  function enqueue(update_id: number, body: Record<string, unknown>): void {
    queue.push({ update_id, body });
    if (state.webhook) void deliver();
    else wake();
  }

  return Object.assign(state, {
    apiRoot,
    push(body: Record<string, unknown>) {
      const id = nextUpdateId++;
      sent.set(id, body);
      enqueue(id, body);
      return id;
    },
    repeat(updateId: number) {
      enqueue(updateId, sent.get(updateId) ?? {});
    },
    countWaiting: () => queue.length,
    addFile(content: Buffer, size = content.length) {
      const id = `file-${randomBytes(6).toString('hex')}`;
      state.files.set(id, { content, size });
      return id;
    },
    upset(method: string, mishap: Mishap, times = 1) {
      mishaps.set(method, [...(mishaps.get(method) ?? []), ...Array.from({ length: times }, () => mishap)]);
    },
    async close() {
      closing.abort();
      wake();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** Reads JSON or a form. A reference `attach://name` is replaced by the part of that name. */
async function readPayload(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await buffer(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return body.length === 0 ? {} : JSON.parse(body.toString());
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const payload: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') payload[name] = readField(value);
    else payload[name] = { name: value.name, content: Buffer.from(await value.arrayBuffer()) };
  }
  return attach(payload, payload) as Record<string, unknown>;
}

function readField(text: string): unknown {
  if (!/^[[{]|^-?\d+$|^(true|false)$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Text that only looks like JSON.
    return text;
  }
}

function attach(value: unknown, parts: Record<string, unknown>): unknown {
  if (typeof value === 'string' && value.startsWith('attach://')) return parts[value.slice('attach://'.length)];
  if (Array.isArray(value)) return value.map((item) => attach(item, parts));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, attach(item, parts)]));
}

function reply(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  const ok = status === 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ok, ...(ok ? {} : { error_code: status }), ...body }));
}

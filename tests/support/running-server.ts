import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ROLES } from '#api/config/settings.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { findFreePort } from './find-free-port.ts';
import { findCode, readMailsTo } from './outbox.ts';

const START_TIMEOUT_MS = 200_000;

export type Role = (typeof ROLES)[number];

/** The real program in a separate process, as `npm start` runs it. */
export interface RunningServer {
  url: string;
  /** The address that people use. Differs from `url` when there is a proxy before the server. */
  publicUrl: string;
  dataDir: string;
  pid: number;
  /** Everything that it has printed so far. */
  output(): string;
  /** Null while it runs. */
  exitCode(): number | null;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Starts an ended server again, with the same folder and port. `env`: more environment variables. */
  startAgain(env?: Record<string, string>): Promise<RunningServer>;
  /** Ends the process, and removes the data folder unless it was given. */
  stop(): Promise<number | null>;
}

interface ServerOptions {
  /** By default a temporary folder. One that is given outlives the server. */
  dataDir?: string;
  /** By default a free one. */
  port?: number;
  /** By default all of them. Apart they need `databaseUrl`. */
  roles?: readonly Role[];
  databaseUrl?: string | undefined;
  env?: Record<string, string>;
  /** Where the program is. It runs as its `npm start` does, with that folder's Node. */
  folder?: string;
}

/** Starts the program and resolves once it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const ownFolder = options.dataDir ? null : await mkdtemp(path.join(tmpdir(), 'podium-server-'));
  const dataDir = options.dataDir ?? ownFolder ?? '';
  return launch({ ...options, dataDir, port: options.port ?? (await findFreePort()) }, ownFolder);
}

async function launch(
  options: ServerOptions & { dataDir: string; port: number },
  ownFolder: string | null,
): Promise<RunningServer> {
  const url = `http://localhost:${options.port}`;
  const publicUrl = options.env?.PUBLIC_URL ?? url;
  const node = options.folder ? path.join(options.folder, 'node_modules/.bin/node') : process.execPath;
  const launcher = options.folder ? ['api/commands/run.mjs'] : [];
  const child = spawn(node, ['--max-semi-space-size=4', ...launcher, 'api/commands/start.ts'], {
    cwd: options.folder,
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl ?? '',
      ...(options.roles ? { ROLES: options.roles.join() } : {}),
      NODE_ENV: 'development',
      LOG_LEVEL: 'info',
      ...options.env,
      PORT: String(options.port),
      PUBLIC_URL: publicUrl,
      DATA_DIR: options.dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await waitUntilReady(child, () => output);
  return {
    url,
    publicUrl,
    dataDir: options.dataDir,
    pid: child.pid ?? 0,
    output: () => output,
    exitCode: () => child.exitCode,
    signal: (name) => void child.kill(name),
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    startAgain: (env = {}) => launch({ ...options, env: { ...options.env, ...env } }, ownFolder),
    async stop() {
      const exitCode = await end(child, 'SIGINT');
      if (ownFolder) await rm(ownFolder, { recursive: true, force: true });
      return exitCode;
    },
  };
}

/** Waits for the last line of a start. A worker without a server prints it too. */
async function waitUntilReady(child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
    if (output().includes('is ready after')) return;
    await wait(50);
  }
  child.kill('SIGKILL');
  throw new Error(`The server did not answer in time:\n${output()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  await once(child, 'exit');
  return child.exitCode;
}

type VisitedServer = Pick<RunningServer, 'url' | 'dataDir'> & Partial<Pick<RunningServer, 'publicUrl'>>;

/** A person with a session cookie who calls a running server. */
export class Visitor {
  /** The Cookie header of the session. */
  cookie = '';
  readonly #server: VisitedServer;
  readonly #headers: Record<string, string>;

  /** `headers`: for every request. */
  constructor(server: VisitedServer, headers: Record<string, string> = {}) {
    this.#server = server;
    this.#headers = headers;
  }

  async request(
    method: string,
    path: string,
    body?: object | FormData,
    headers: Record<string, string> = {},
    options: Pick<RequestInit, 'signal' | 'redirect'> = {},
  ) {
    const isForm = body instanceof FormData;
    const publicUrl = this.#server.publicUrl ?? this.#server.url;
    const answer = await fetch(this.#server.url + path, {
      ...options,
      method,
      headers: {
        ...this.#headers,
        ...headers,
        cookie: this.cookie,
        origin: publicUrl,
        // As the proxy before a server in production forwards it. `fetch` does not let a caller set Host.
        'x-forwarded-host': new URL(publicUrl).host,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    const [setCookie] = answer.headers.getSetCookie();
    if (setCookie) this.cookie = setCookie.split(';')[0] ?? '';
    return answer;
  }

  async json<T>(method: string, path: string, body?: object | FormData, headers?: Record<string, string>): Promise<T> {
    const answer = await this.request(method, path, body, headers);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  /** Registers, reads the code from the outbox and confirms the e-mail. */
  async register(email: string): Promise<void> {
    await this.json('POST', '/api/register', { email, password: 'пароль-123', consentVersion: DOCUMENTS_VERSION });
    const verificationCode = await readMailedCode(this.#server.dataDir, email);
    await this.json('POST', '/api/verify-email', { verificationCode });
  }

  async uploadPhoto(jpeg: Buffer): Promise<string> {
    return (await this.json<{ id: string }>('POST', '/api/upload', photoForm(jpeg))).id;
  }

  /** Agrees that photos go abroad, as they do to a hosted engine. */
  async acceptTransfer(): Promise<void> {
    const { transfer } = await this.json<{ transfer: { inForce: string } }>('GET', '/api/account/consents');
    await this.json('POST', '/api/account/consents', { kind: 'transfer', version: transfer.inForce });
  }

  /** Whether something of this account is being made. */
  async isWaiting(): Promise<boolean> {
    const list = await this.json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
    return list.activeGenerations.length > 0;
  }

  async getBalance(): Promise<number> {
    return (await this.json<{ balance: number }>('GET', '/api/stars/balance')).balance;
  }
}

/** The body of an upload. */
export function photoForm(jpeg: Buffer): FormData {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), 'photo.jpg');
  return form;
}

/** The body of an order of another model before another background, both for everybody. */
export function changeForm(imageId: string): FormData {
  const form = new FormData();
  form.set('imageId', imageId);
  form.set('modelImageUrl', '/attached_assets/woman/w5.webp');
  form.set('backgroundImageUrl', '/backgrounds/concrete.webp');
  return form;
}

/** Waits for a mail to this address in the outbox and returns the code of the newest one. */
export async function readMailedCode(dataDir: string, email: string): Promise<string> {
  const folder = path.join(dataDir, 'outbox');
  for (let tries = 0; tries < 100; tries++) {
    const code = (await readMailsTo(folder, email)).map(findCode).findLast((found) => found);
    if (code) return code;
    await wait(100);
  }
  throw new Error(`No mail with a code for ${email} in ${folder}`);
}

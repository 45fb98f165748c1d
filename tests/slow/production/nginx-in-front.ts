// Part of `npm run test:slow -- production`: the shipped configuration of nginx before two real api processes and a worker.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
  type Server,
} from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { findPostgresBinaries, type PrivatePostgres, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { PRODUCTION_WITH_OUTBOX } from '#tests/support/production-env.ts';
import { type RunningServer, readMailedCode, startServer } from '#tests/support/running-server.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';

const CONF = path.resolve(import.meta.dirname, '../../../operations/nginx/podium.conf');
const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find((file) => existsSync(file));
const HOST = 'podium.example';
/** Of one address, in place of the shipped bound, which would take a thousand connections. */
const OPEN_REQUESTS = 20;

const home = mkdtempSync(path.join(tmpdir(), 'podium-nginx-'));
const dataDir = path.join(home, 'data');
let obstacle: string | null = null;
let postgres: PrivatePostgres | null = null;
let nginx: ChildProcess | null = null;
let securePort = 0;
let plainPort = 0;
const servers: RunningServer[] = [];
/** Stands for a process of another version: it has one file that the real ones do not have. */
let otherVersion: Server;
const askedOfOther: { url: string; headers: IncomingHttpHeaders }[] = [];

before(async () => {
  if (!NGINX || !findPostgresBinaries()) {
    obstacle = `no ${NGINX ? 'PostgreSQL' : 'nginx'} here`;
    return;
  }
  postgres = await startPrivatePostgres();
  for (const ROLES of ['api', 'api', 'worker']) servers.push(await start({ ROLES, DATABASE_URL: postgres.url }));
  otherVersion = await startOtherVersion();
  [securePort, plainPort] = [await findFreePort(), await findFreePort()];
  await startNginx(NGINX);
});
after(async () => {
  nginx?.kill('SIGQUIT');
  otherVersion?.close();
  await Promise.all(servers.map((server) => server.stop()));
  await postgres?.stop();
  rmSync(home, { recursive: true, force: true });
});

function start(env: Record<string, string>): Promise<RunningServer> {
  return startServer({
    dataDir,
    env: { ...PRODUCTION_WITH_OUTBOX, MEDIA_ACCEL: 'nginx', TRUSTED_PROXIES: '127.0.0.1', ...env },
  });
}

/** Has one file, cannot answer any other GET, and passes the rest on, because nginx never sends that twice. */
async function startOtherVersion(): Promise<Server> {
  const server = createServer((request, response) => {
    askedOfOther.push({ url: request.url ?? '', headers: request.headers });
    if (request.method === 'GET') {
      response.statusCode = request.url === '/assets/of-the-other-version.js' ? 200 : 503;
      response.end();
      return;
    }
    const { method, headers } = request;
    const passedOn = requestPlain(`${servers[0]?.url}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    response.once('close', () => passedOn.destroy());
    request.pipe(passedOn);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The shipped file, with the addresses and folders of this test. */
async function startNginx(program: string): Promise<void> {
  const { key, certificate } = await makeCertificate();
  mkdirSync(path.join(home, 'tls'));
  writeFileSync(path.join(home, 'tls/fullchain.pem'), certificate);
  writeFileSync(path.join(home, 'tls/privkey.pem'), key);
  const other = (otherVersion.address() as AddressInfo).port;
  const ports = [...servers.slice(0, 2).map(({ url }) => new URL(url).port), other];
  writeFileSync(
    path.join(home, 'podium-upstream.conf'),
    `upstream podium_api {\n${ports.map((port) => `  server 127.0.0.1:${port} max_fails=0;`).join('\n')}\n  keepalive 32;\n}\n`,
  );
  const conf = readFileSync(CONF, 'utf8')
    .replace(/listen \[::\].*\n/g, '')
    .replace(/listen 443/g, `listen 127.0.0.1:${securePort}`)
    .replace(/listen 80\b/g, `listen 127.0.0.1:${plainPort}`)
    .replaceAll('/etc/nginx', home)
    .replaceAll('/var/log/nginx', home)
    .replaceAll('/var/lib/podium', dataDir)
    .replace('podium_address 1000;', `podium_address ${OPEN_REQUESTS};`);
  writeFileSync(path.join(home, 'podium.conf'), conf);
  const main = path.join(home, 'nginx.conf');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  writeFileSync(
    main,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${home}/pid;\nerror_log ${home}/error.log warn;\ndaemon off;\n` +
      `events {}\nhttp {\n${folders.join('\n')}\ninclude ${home}/podium.conf;\n}\n`,
  );
  execFileSync(program, ['-t', '-q', '-c', main]);
  nginx = spawn(program, ['-c', main], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries++) {
    if (await ask('GET', '/healthz').catch(() => null)) return;
    await wait(50);
  }
  throw new Error(readFileSync(path.join(home, 'error.log'), 'utf8'));
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function open(method: string, url: string, headers: Record<string, string>, body?: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = https.request(
      { host: '127.0.0.1', port: securePort, path: url, method, servername: HOST, rejectUnauthorized: false },
      resolve,
    );
    request.setHeader('Host', HOST);
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    request.once('error', reject);
    request.end(body);
  });
}

async function ask(method: string, url: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Answer> {
  const answer = await open(method, url, headers, body);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}

/** A person whose browser speaks with nginx. */
async function signUp(email: string) {
  const origin = `https://${HOST}`;
  const cookies = new Map<string, string>();
  const user = {
    origin,
    get cookie() {
      return [...cookies].map((pair) => pair.join('=')).join('; ');
    },
    async post(url: string, content: object) {
      const headers = { origin, cookie: user.cookie, 'content-type': 'application/json' };
      const answer = await ask('POST', url, headers, Buffer.from(JSON.stringify(content)));
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [name = '', value = ''] = line.split(';', 1)[0]?.split('=', 2) ?? [];
        cookies.set(name, value);
      }
      assert.equal(answer.status, 200, String(answer.body));
      return JSON.parse(String(answer.body));
    },
  };
  await user.post('/api/register', { email, password: 'пароль-123', consentVersion: DOCUMENTS_VERSION });
  await user.post('/api/verify-email', { verificationCode: await readMailedCode(dataDir, email) });
  return user;
}

async function upload(headers: Record<string, string>, photo: Buffer): Promise<Answer> {
  const form = new Request('http://localhost', {
    method: 'POST',
    body: (() => {
      const data = new FormData();
      data.set('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
      return data;
    })(),
  });
  const body = Buffer.from(await form.arrayBuffer());
  return ask('POST', '/api/upload', { ...headers, 'content-type': form.headers.get('content-type') ?? '' }, body);
}

function isImpossible(context: TestContext): boolean {
  if (obstacle) context.skip(obstacle);
  return obstacle !== null;
}

test('a photo of nearly 10 MB becomes a video, and nginx sends it in parts', async (context) => {
  if (isImpossible(context)) return;
  const { cookie, origin, post } = await signUp('nginx@example.com');
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  // Bytes after the end of a JPEG are allowed, and are read like the rest.
  const large = Buffer.concat([photo, Buffer.alloc(10 * 1024 * 1024 - photo.length)]);
  const uploaded = await upload({ cookie, origin }, large);
  assert.equal(uploaded.status, 200, String(uploaded.body));
  const { id: imageId } = JSON.parse(String(uploaded.body));
  const tooLarge = await upload({ cookie, origin }, Buffer.concat([photo, Buffer.alloc(12 * 1024 * 1024)]));
  assert.equal(tooLarge.status, 413);

  const { generationId } = await post('/api/generate', { imageId });
  for (let status = ''; status !== 'completed'; await wait(500)) {
    const answer = await ask('GET', `/api/status?generationId=${generationId}`, { cookie });
    ({ status } = JSON.parse(String(answer.body)));
    assert.notEqual(status, 'failed');
  }
  const askForPart = () => ask('GET', `/api/video-proxy/${generationId}`, { cookie, range: 'bytes=0-99' });
  let part = await askForPart();
  // The first request has the copy made.
  for (; part.status === 409; await wait(500)) part = await askForPart();
  assert.deepEqual([part.status, part.body.length], [206, 100]);
  assert.equal((await ask('GET', `/api/video-proxy/${generationId}`)).status, 401);

  const named = await fetch(`${servers[0]?.url}/api/video-proxy/${generationId}`, {
    headers: { cookie, 'x-forwarded-host': HOST },
  });
  const location = named.headers.get('x-accel-redirect') ?? '';
  assert.match(location, /^\/internal-files\/results\//);
  assert.equal((await named.arrayBuffer()).byteLength, 0);
  assert.equal(part.headers['x-accel-redirect'], undefined);
  assert.equal((await ask('GET', location, { cookie })).status, 404);
});

test('an event reaches an open page at once', async (context) => {
  if (isImpossible(context)) return;
  const { cookie, origin, post } = await signUp('events@example.com');
  const stream = await open('GET', '/api/events', { cookie });
  assert.equal(stream.statusCode, 200);
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  const { id: imageId } = JSON.parse(String((await upload({ cookie, origin }, photo)).body));
  await post('/api/generate', { imageId });
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (text.includes('event: generation')) break;
  }
  assert.match(text, /event: generation/);
  stream.destroy();
});

test('while two versions run, a page gets its files from the one that has them', async (context) => {
  if (isImpossible(context)) return;
  for (let tries = 0; tries < 6; tries++) {
    assert.equal((await ask('GET', '/assets/of-the-other-version.js')).status, 200);
  }
});

test('a visitor chooses neither address nor host, and a failing process is passed over', async (context) => {
  if (isImpossible(context)) return;
  const lies = { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-host': 'evil.example', 'x-request-id': 'made-up' };
  for (let tries = 0; tries < 6; tries++) assert.equal((await ask('GET', '/api/catalogue', lies)).status, 200);
  const seen = askedOfOther.find(({ url }) => url === '/api/catalogue')?.headers;
  assert.deepEqual([seen?.['x-forwarded-for'], seen?.['x-forwarded-host'], seen?.host], ['127.0.0.1', HOST, HOST]);
  assert.notEqual(seen?.['x-request-id'], 'made-up');
});

test('a body that stops is ended after a minute', async (context) => {
  if (isImpossible(context)) return;
  const startedAt = performance.now();
  const { request } = openSlowBody();
  await new Promise((resolve) => request.once('close', resolve));
  const seconds = (performance.now() - startedAt) / 1000;
  assert.ok(seconds > 55 && seconds < 90, `${seconds} s`);
});

test('one address has a bounded number of open requests', async (context) => {
  if (isImpossible(context)) return;
  const opened = Array.from({ length: OPEN_REQUESTS + 5 }, openSlowBody);
  const { statusCode } = await Promise.race(opened.map(({ answer }) => answer));
  assert.equal(statusCode, 429);
  for (const { request } of opened) request.destroy();
});

/** A request whose body has only begun. Its connection may end as the caller likes. */
function openSlowBody() {
  const headers = { host: HOST, 'content-type': 'application/json', 'content-length': '60000' };
  const request = https.request({
    host: '127.0.0.1',
    port: securePort,
    path: '/api/analytics/event',
    method: 'POST',
    headers,
    servername: HOST,
    rejectUnauthorized: false,
    agent: false,
  });
  request.on('error', () => undefined);
  request.write('{');
  const answer = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  return { request, answer };
}

test('figures, other host names and plain http lead nowhere', async (context) => {
  if (isImpossible(context)) return;
  assert.equal((await ask('GET', '/metrics')).status, 404);
  await assert.rejects(ask('GET', '/', { host: 'evil.example' }));
  const plain = await fetch(`http://127.0.0.1:${plainPort}/cases?from=mail`, { redirect: 'manual' });
  assert.deepEqual([plain.status, plain.headers.get('location')], [301, `https://${HOST}/cases?from=mail`]);
});

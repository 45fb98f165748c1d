import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import ece from 'http_ece';
import type { SubscribeBody } from '#shared/contract/push-devices.ts';
import { makeCertificate } from './self-signed-certificate.ts';

export interface DeliveredMessage {
  /** Identifies the browser that receives it. */
  endpoint: string;
  /** The decrypted text. */
  text: string;
  /** Size of the encrypted body, in bytes. */
  size: number;
  headers: IncomingMessage['headers'];
  /** The sender's claims, after their signature was verified. */
  vapid: { aud: string; sub: string; exp: number };
  /** The sender's public key, base64url. */
  senderKey: string;
}

/** What a push service does with a message. */
export type PushAnswer = { status: number; headers?: Record<string, string> } | 'hang';

export interface FakePushService {
  /** `localhost:<port>`, for PUSH_HOSTS. */
  host: string;
  /** The service's certificate in PEM, which the sender must trust. */
  certificate: string;
  /** Subscribes a new browser. Returns what it sends to our server. */
  subscribe(): SubscribeBody;
  /** Sets the answer to messages from now on: to all of them, or to those for one endpoint. */
  answer(answer: PushAnswer, endpoint?: string): void;
  /** Accepted messages. */
  messages: DeliveredMessage[];
  /** All messages that came, taken or not. */
  requests: string[];
  close(): Promise<void>;
}

const TAKEN: PushAnswer = { status: 201 };

/**
 * Starts a push service with its browsers: TLS, RFC 8030, 8188, 8291 and 8292. Give `identity` and `port` when the
 * program already knows them.
 */
export async function startFakePushService({
  identity,
  port = 0,
}: {
  identity?: { key: string; certificate: string };
  port?: number;
} = {}): Promise<FakePushService> {
  const { key, certificate } = identity ?? (await makeCertificate());
  const browsers = new Map<string, { keys: ECDH; auth: Buffer }>();
  const messages: DeliveredMessage[] = [];
  const requests: string[] = [];
  const answers = new Map<string, PushAnswer>();
  let general: PushAnswer = TAKEN;
  const server = createServer({ key, cert: certificate }, (request, response) => {
    receive(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `https://localhost:${address.port}`;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = `${origin}${request.url}`;
    requests.push(endpoint);
    const body = await buffer(request);
    const answer = answers.get(endpoint) ?? general;
    if (answer === 'hang') return;
    const browser = browsers.get(endpoint);
    if (!browser) return void response.writeHead(404).end();
    if (answer.status === 201) {
      const { vapid, senderKey } = readVapid(request.headers.authorization, origin);
      const { keys, auth } = browser;
      const text = ece
        .decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth.toString('base64url') })
        .toString();
      messages.push({ endpoint, text, size: body.length, headers: request.headers, vapid, senderKey });
    }
    response.writeHead(answer.status, answer.headers).end();
  }

  return {
    host: `localhost:${address.port}`,
    certificate,
    messages,
    requests,
    subscribe() {
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      const endpoint = `${origin}/push/${randomBytes(24).toString('base64url')}`;
      browsers.set(endpoint, { keys, auth });
      return { endpoint, keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') } };
    },
    answer(answer, endpoint) {
      if (endpoint) answers.set(endpoint, answer);
      else {
        general = answer;
        answers.clear();
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** `vapid t=<jwt>, k=<key>`; throws when it is not for this service or not signed with that key. */
function readVapid(header: string | undefined, origin: string): Pick<DeliveredMessage, 'vapid' | 'senderKey'> {
  const [, token, senderKey] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? [];
  const [head, claims, signature] = (token ?? '').split('.');
  if (!senderKey || !head || !claims || !signature) throw new Error('no VAPID');
  const point = Buffer.from(senderKey, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('VAPID is not signed with its key');
  const vapid = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const lifetimeMs = vapid.exp * 1000 - Date.now();
  if (vapid.aud !== origin || lifetimeMs <= 0 || lifetimeMs > 24 * 3_600_000) throw new Error('VAPID is not for here');
  return { vapid, senderKey };
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { type RunningServer, readMailedCode } from '#tests/support/running-server.ts';

/** One attempt: what is tried, the answer that must come, and the one that came. */
export interface AbuseCase {
  name: string;
  expected: string;
  /** Resolves with what was seen. It is right when it is `expected`. */
  try(fixture: AbuseFixture): Promise<string>;
}

interface Call {
  method?: string;
  body?: string | Uint8Array | FormData;
  headers?: Record<string, string>;
  /** The Cookie header of a session. */
  cookie?: string;
}

/** A server as it runs in production, with this script as its proxy. */
export class AbuseFixture {
  readonly server: RunningServer;
  readonly #host: string;
  #people = 0;

  constructor(server: RunningServer) {
    this.server = server;
    this.#host = new URL(server.publicUrl).host;
  }

  /** Calls the server as a page of ours would, through the proxy. */
  call(path: string, { method = 'GET', body, headers = {}, cookie }: Call = {}): Promise<Response> {
    return fetch(this.server.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-host': this.#host,
        origin: this.server.publicUrl,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body as BodyInit }),
    });
  }

  /** Sends JSON. */
  post(path: string, body: object, options: Omit<Call, 'body' | 'method'> = {}): Promise<Response> {
    return this.call(path, { ...options, method: 'POST', body: JSON.stringify(body) });
  }

  /** Registers from an address of its own and confirms the e-mail. Returns the Cookie header. */
  async register(email: string, password = 'мокрый-зонтик'): Promise<string> {
    this.#people += 1;
    const headers = { 'x-forwarded-for': `203.0.113.${this.#people}` };
    const registered = await this.post(
      '/api/register',
      { email, password, consentVersion: DOCUMENTS_VERSION },
      { headers },
    );
    const verificationCode = await readMailedCode(this.server.dataDir, email);
    const cookie = cookieOf(registered);
    return cookieOf(await this.post('/api/verify-email', { verificationCode }, { headers, cookie }));
  }

  /** Opens a connection past the proxy. `answer` resolves with all that came when the server closes it. */
  open(localAddress = '127.0.0.1'): { socket: Socket; answer: Promise<string> } {
    const socket = connect({ port: Number(new URL(this.server.url).port), host: '127.0.0.1', localAddress });
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', () => undefined);
    return { socket, answer: once(socket, 'close').then(() => text) };
  }

  /** The beginning of a request, as the proxy would send it. */
  head(method: string, path: string, headers: string[] = []): string {
    return [`${method} ${path} HTTP/1.1`, `Host: ${this.#host}`, ...headers, '', ''].join('\r\n');
  }
}

/** The session that an answer sets, as a Cookie header. */
export function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The status and, for an error, its code. */
export async function describeAnswer(answer: Response): Promise<string> {
  const text = await answer.text();
  return answer.status < 400 ? String(answer.status) : `${answer.status} ${readCode(text)}`;
}

/** The same for an answer as it came over the wire. */
export function describeRaw(answer: string): string {
  const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'nothing';
  return Number(status) < 400 ? status : `${status} ${readCode(answer.slice(answer.indexOf('\r\n\r\n')))}`;
}

function readCode(text: string): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? `without a code: ${text.slice(0, 60)}`;
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Stands between the program and PostgreSQL, and makes the network between them fail. Sees no TLS. */
export interface DatabaseProxy {
  /** The database's address through the proxy. */
  urlOf(databaseUrl: string): string;
  /** Delays everything that is sent, in each direction. 0 for none. */
  delay(milliseconds: number): void;
  /** The open connections carry nothing any more, not even their end. New ones work. */
  silence(): void;
  /**
   * Cuts a connection whose statement matches, once the server has done it: its answer is lost. `isCut` is asked for
   * each of them, with what matched; by default all are cut. Null ends that.
   */
  loseAnswersTo(statement: RegExp | null, isCut?: (matched: string) => boolean): void;
  /** How many answers were lost. */
  lost(): number;
  close(): Promise<void>;
}

/** PostgreSQL's messages that name a statement with its text, and that run a named one. */
const PARSE = /P[\s\S]{4}([\w-]+)\0([^\0]*)\0/g;
const BIND = /B[\s\S]{4}\0([\w-]+)\0/g;
/** The first byte of PostgreSQL's message «ready for the next statement». */
const READY = 'Z';

export async function startDatabaseProxy(targetUrl: string): Promise<DatabaseProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let statement: RegExp | null = null;
  let isCut = (_matched: string) => true;
  let lost = 0;

  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    let isLosing = false;
    const texts = new Map<string, string>();
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    const pass = async (to: Socket, chunk: Buffer) => {
      // Equal delays keep their order.
      if (delayMs > 0) await wait(delayMs);
      if (!to.destroyed) to.write(chunk);
    };
    client.on('data', (chunk) => {
      const sent = chunk.toString('latin1');
      for (const [, name = '', text = ''] of sent.matchAll(PARSE)) texts.set(name, text);
      const bound = [...sent.matchAll(BIND)].map(([, name = '']) => texts.get(name) ?? '');
      const [matched] = statement?.exec([sent, ...bound].join('\n')) ?? [];
      if (matched !== undefined && isCut(matched)) isLosing = true;
      void pass(server, chunk);
    });
    server.on('data', (chunk) => {
      if (!isLosing) return void pass(client, chunk);
      if (!isEndOfAnswer(chunk)) return;
      lost += 1;
      end();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      return url.href;
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    silence() {
      for (const socket of sockets) socket.pause();
    },
    loseAnswersTo(next, choose = () => true) {
      statement = next;
      isCut = choose;
    },
    lost: () => lost,
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}

/** An answer ends with this message of six bytes: the letter, the length 5, the state of the transaction. */
function isEndOfAnswer(chunk: Buffer): boolean {
  return chunk.length >= 6 && chunk.toString('latin1', chunk.length - 6, chunk.length - 5) === READY;
}

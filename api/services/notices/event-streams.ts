import type { Writable } from 'node:stream';
import type { AccountEvent } from '#api/database/account-events.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { StreamEvent, StreamEventData } from '#shared/contract/events.ts';

interface EventStream {
  accountId: number;
  sessionId: string;
  output: Writable;
}

/** Per account, each from another browser. */
const STREAMS_PER_ACCOUNT = 10;
/** Per process, because each holds a connection. */
const STREAMS_MAX = 5_000;
/** Keeps proxies from closing a silent connection, and finds sessions that have expired. */
const HEARTBEAT_MS = 20_000;
/**
 * What may wait for a browser that does not read. Beyond that its stream ends; it reconnects and asks for the state.
 */
const BACKLOG_MAX_BYTES = 64 * 1024;

export class EventStreams {
  readonly #app: Pick<AppContext, 'db' | 'log' | 'metrics'>;
  readonly #streams = new Set<EventStream>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(app: Pick<AppContext, 'db' | 'log' | 'metrics'>) {
    this.#app = app;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /**
   * Adds the browser of a session. `begin` starts its answer once there is room for it; from then on the stream alone
   * holds it. Throws AppError too_many_requests, unavailable.
   */
  open(accountId: number, sessionId: string, begin: () => Writable): void {
    if (this.#streams.size >= STREAMS_MAX) throw new AppError('unavailable');
    if (this.#of(accountId).length >= STREAMS_PER_ACCOUNT) throw new AppError('too_many_requests');
    const stream: EventStream = { accountId, sessionId, output: begin() };
    this.#streams.add(stream);
    this.#app.metrics.eventStreams.add(1);
    stream.output.once('close', () => {
      this.#streams.delete(stream);
      this.#app.metrics.eventStreams.add(-1);
    });
    // Some proxies forward nothing until the first bytes arrive.
    stream.output.write(': hello\n\n');
  }

  pass(accountEvent: AccountEvent | 'gap'): void {
    if (accountEvent === 'gap') {
      for (const stream of this.#streams) this.#send(stream, 'gap');
      return;
    }
    const { accountId, event, ...data } = accountEvent;
    const streams = this.#of(accountId);
    if (event === 'sessions') this.#endOrphans(streams);
    else for (const stream of streams) this.#send(stream, event, data);
  }

  /** Ends every stream, because a stopping server must not wait for them. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const { output } of this.#streams) output.end();
  }

  #of(accountId: number): EventStream[] {
    return [...this.#streams].filter((stream) => stream.accountId === accountId);
  }

  #send(stream: EventStream, event: StreamEvent, data: StreamEventData = {}): void {
    const { output } = stream;
    if (output.writableEnded) return;
    if (output.writableLength > BACKLOG_MAX_BYTES) output.destroy();
    else output.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #beat(): void {
    for (const { output } of this.#streams) if (!output.writableEnded) output.write(':\n\n');
    this.#endOrphans([...this.#streams]);
  }

  #endOrphans(streams: EventStream[]): void {
    this.#findEnded(streams).then(
      (ended) => {
        for (const stream of ended) {
          this.#send(stream, 'end');
          stream.output.end();
        }
      },
      // The next heartbeat tries again.
      (error: unknown) => this.#app.log.warn({ err: error }, 'the sessions of open streams cannot be looked up'),
    );
  }

  async #findEnded(streams: EventStream[]): Promise<EventStream[]> {
    if (streams.length === 0) return [];
    const ids = [...new Set(streams.map(({ sessionId }) => sessionId))];
    const alive = await this.#app.db.session.findMany({
      where: { id: { in: ids }, expiresAt: { gt: new Date() } },
      select: { id: true },
    });
    const aliveIds = new Set(alive.map(({ id }) => id));
    return streams.filter(({ sessionId }) => !aliveIds.has(sessionId));
  }
}

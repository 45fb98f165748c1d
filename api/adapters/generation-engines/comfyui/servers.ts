import type { EngineFailure } from '#api/adapters/generation-engines/generation-engine.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { type ComfyuiClient, createComfyuiClient, type NodeCatalogue } from './comfyui-client.ts';
import { ComfyuiError } from './server-calls.ts';
import { findServerFaults, type WorkflowTemplate } from './workflow-templates.ts';

export interface Log {
  info: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

export interface ServersOptions {
  /** Without trailing slashes. */
  urls: readonly string[];
  /** Sent to these addresses only. */
  token: string | undefined;
  templates: readonly WorkflowTemplate[];
  callTimeoutMs: number;
  /** Pause before a failed server is asked again. It doubles with each failure up to the second number. */
  retryPausesMs: readonly [number, number];
  log: Log;
}

export interface ComfyuiServer {
  readonly url: string;
  readonly client: ComfyuiClient;
  /** Whether it has failed and its pause is not over. */
  isAway(): boolean;
  /** A call failed: the server gets no job until its pause is over. */
  setAside(error: ComfyuiError): void;
  /** A call succeeded. */
  keep(): void;
}

interface ManagedServer extends ComfyuiServer {
  /** While an order is on its way there. */
  isReserved: boolean;
  /** The operator's mistake that keeps it from working. */
  readonly failure: EngineFailure | null;
  /** How many jobs wait or run there. `own`: one of them is ours. Null when the server does not answer. */
  measureQueue(): Promise<number | 'own' | null>;
  /** Reads its nodes and compares the templates with them. Null when the server does not answer. */
  inspect(): Promise<string[] | null>;
  /** Its nodes, if the templates fit them. */
  prepare(): Promise<NodeCatalogue | null>;
}

type Choice =
  /** The server is reserved until `release` is called. */
  | { state: 'free'; server: ComfyuiServer; nodes: NodeCatalogue; release: () => void }
  /** Every server that answers has a job of ours. */
  | { state: 'busy' }
  /** `failure`: the operator's mistake that keeps every server from working. Null when they cannot be reached. */
  | { state: 'away'; failure: EngineFailure | null };

export type Servers = ReturnType<typeof createServers>;

/**
 * All ComfyUI servers of the operator, and which of them takes the next job.
 * Nothing is remembered about running jobs: each choice reads the queues. So several processes can share the servers,
 * and a restart changes nothing.
 */
export function createServers(options: ServersOptions) {
  const all = options.urls.map((url) => manageServer(url, options));
  /** One choice at a time, so that two orders never take the same server. */
  let lastChoice: Promise<unknown> = Promise.resolve();

  async function choose(): Promise<Choice> {
    const awake = all.filter((server) => !server.isAway());
    const measured = await Promise.all(awake.map(async (server) => ({ server, load: await server.measureQueue() })));
    const free = measured.flatMap(({ server, load }) => (typeof load === 'number' ? [{ server, load }] : []));
    for (const { server } of free.sort((one, other) => one.load - other.load)) {
      const nodes = await server.prepare();
      if (!nodes) continue;
      server.keep();
      server.isReserved = true;
      const release = () => {
        server.isReserved = false;
      };
      return { state: 'free', server, nodes, release };
    }
    if (measured.some(({ load }) => load === 'own')) return { state: 'busy' };
    const failures = all.map(({ failure }) => failure);
    return { state: 'away', failure: failures.includes(null) ? null : (failures[0] ?? null) };
  }

  return {
    all: all as readonly ComfyuiServer[],
    find: (url: string | undefined): ComfyuiServer | null => all.find((server) => server.url === url) ?? null,
    /** Returns what templates lack on the servers that answer. */
    async inspect(): Promise<string[]> {
      const faults = await Promise.all(all.map(async (server) => ({ server, found: await server.inspect() })));
      return faults.flatMap(({ server, found }) => (found ?? []).map((fault) => `${server.url}: ${fault}`));
    },
    /** The server with the shortest queue that has no job of ours. */
    choose(): Promise<Choice> {
      const choice = lastChoice.then(choose);
      lastChoice = choice.catch(() => {});
      return choice;
    },
    /** Asks the other servers whether one of them answers. */
    async hasOther(server: ComfyuiServer): Promise<boolean> {
      const others = all.filter((other) => other !== server);
      const loads = await Promise.all(others.map((other) => other.measureQueue()));
      return loads.some((load) => load !== null);
    },
  };
}

function manageServer(
  url: string,
  { token, templates, callTimeoutMs, retryPausesMs: [firstPauseMs, longestPauseMs], log }: ServersOptions,
): ManagedServer {
  const client = createComfyuiClient({ url, token, timeoutMs: callTimeoutMs });
  let nodes: NodeCatalogue | null = null;
  let failures = 0;
  let awayUntil = 0;
  let failure: EngineFailure | null = null;

  function pause(reason: string, mistake: EngineFailure | null): void {
    if (server.isAway()) return;
    if (failures === 0) log.warn({ server: url, reason }, 'ComfyUI server does not work');
    awayUntil = Date.now() + backOffMs(failures, { firstMs: firstPauseMs, longestMs: longestPauseMs });
    failures++;
    failure = mistake;
    // It may come back with other models.
    nodes = null;
  }

  async function tryCall<Result>(call: () => Promise<Result>): Promise<Result | null> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ComfyuiError)) throw error;
      server.setAside(error);
      return null;
    }
  }

  const server: ManagedServer = {
    url,
    client,
    isReserved: false,
    get failure() {
      return failure;
    },
    isAway: () => Date.now() < awayUntil,
    setAside: (error) => pause(error.message, error.fault === 'denied' ? misconfigured(error.message) : null),
    keep() {
      if (failures > 0) log.info({ server: url }, 'ComfyUI server works again');
      failures = 0;
      awayUntil = 0;
      failure = null;
    },
    async measureQueue() {
      if (server.isReserved) return 'own';
      const queue = await tryCall(() => client.readQueue());
      if (!queue) return null;
      const jobs = [...queue.running, ...queue.pending];
      return jobs.some(({ runId }) => runId !== null) ? 'own' : jobs.length;
    },
    async inspect() {
      const found = await tryCall(() => client.readNodes());
      if (!found) return null;
      const faults = templates.flatMap((template) => findServerFaults(template, found));
      if (faults.length === 0) nodes = found;
      return faults;
    },
    async prepare() {
      if (nodes) return nodes;
      const faults = await server.inspect();
      if (faults && faults.length > 0) {
        const reason = faults.join('; ');
        pause(reason, misconfigured(`${new URL(url).host}: ${reason}`));
      }
      return nodes;
    },
  };
  return server;
}

export function misconfigured(detail: string): EngineFailure {
  return { code: 'engine_misconfigured', detail, shouldRetry: false };
}

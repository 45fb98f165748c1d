// The global one has the browser's type, which knows no headers.
import { WebSocket } from 'node:http';
import { z } from 'zod';
import { parseJson } from '#api/platform/parse-json.ts';

/** A connection that was lost is opened again after this pause at the earliest. */
const RECONNECT_PAUSE_MS = 5_000;
/** Of the whole job. The result is decoded and saved afterwards, and no node tells how far that is. */
const SAMPLING_SHARE = 0.9;

const nodeState = z.object({ value: z.number(), max: z.number(), state: z.string() });
const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress_state'),
    data: z.object({ prompt_id: z.string(), nodes: z.record(z.string(), nodeState) }),
  }),
  // Versions before progress_state send only this.
  z.object({
    type: z.literal('progress'),
    data: z.object({ prompt_id: z.string(), node: z.string(), value: z.number(), max: z.number() }),
  }),
  z.object({
    type: z.literal('execution_cached'),
    data: z.object({ prompt_id: z.string(), nodes: z.array(z.string()) }),
  }),
]);

export interface FollowedJob {
  id: string;
  /** The id under which the server sends messages about the job. */
  clientId: string;
  serverUrl: string;
  /** The nodes whose steps make up the progress. */
  samplers: readonly string[];
}

export type JobProgress = ReturnType<typeof createJobProgress>;

type Socket = InstanceType<typeof WebSocket>;

interface Followed {
  job: FollowedJob;
  socket: Socket;
  openedAt: number;
  /** By sampler, 0 to 1. */
  done: Map<string, number>;
  share: number | null;
}

/**
 * Progress of jobs as the servers tell it by websocket. It decorates what polling finds out, and may be missing.
 * `token`: for the proxy before the servers.
 */
export function createJobProgress(token: string | undefined) {
  const jobs = new Map<string, Followed>();

  function connect({ id, clientId, serverUrl }: FollowedJob): Socket {
    const address = `${serverUrl.replace(/^http/, 'ws')}/ws?${new URLSearchParams({ clientId })}`;
    const socket = new WebSocket(address, token ? { headers: { authorization: `Bearer ${token}` } } : {});
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      const followed = jobs.get(id);
      // Binary messages are previews.
      if (followed && typeof data === 'string') note(followed, data);
    });
    return socket;
  }

  function forget(jobId: string): void {
    const followed = jobs.get(jobId);
    jobs.delete(jobId);
    followed?.socket.close();
  }

  return {
    /** Listens until `forget`. Call it again and again: a lost connection is then opened anew. */
    follow(job: FollowedJob): void {
      const followed = jobs.get(job.id);
      if (!followed) {
        jobs.set(job.id, { job, socket: connect(job), openedAt: Date.now(), done: new Map(), share: null });
      } else if (isClosed(followed.socket) && Date.now() - followed.openedAt >= RECONNECT_PAUSE_MS) {
        followed.openedAt = Date.now();
        followed.socket = connect(job);
      }
    },
    /** 0 to 1, and never less than before. Null when nothing is known. */
    shareOf: (jobId: string) => jobs.get(jobId)?.share ?? null,
    isListening: (jobId: string) => jobs.get(jobId)?.socket.readyState === WebSocket.OPEN,
    forget,
    close() {
      for (const jobId of [...jobs.keys()]) forget(jobId);
    },
  };
}

function isClosed({ readyState }: Socket): boolean {
  return readyState === WebSocket.CLOSING || readyState === WebSocket.CLOSED;
}

function note(followed: Followed, text: string): void {
  const { job, done } = followed;
  const parsed = message.safeParse(parseJson(text)).data;
  if (parsed?.data.prompt_id !== job.id) return;
  const told = listShares(parsed).filter(([node]) => job.samplers.includes(node));
  if (told.length === 0) return;
  for (const [node, share] of told) done.set(node, Math.max(done.get(node) ?? 0, share));
  const sum = job.samplers.reduce((total, node) => total + (done.get(node) ?? 0), 0);
  followed.share = (SAMPLING_SHARE * sum) / job.samplers.length;
}

function listShares({ type, data }: z.output<typeof message>): [string, number][] {
  switch (type) {
    case 'progress':
      return [[data.node, divide(data.value, data.max)]];
    case 'execution_cached':
      return data.nodes.map((node) => [node, 1]);
    case 'progress_state':
      return Object.entries(data.nodes).map(([node, { value, max, state }]) => [
        node,
        state === 'finished' ? 1 : divide(value, max),
      ]);
  }
}

function divide(value: number, max: number): number {
  return max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
}

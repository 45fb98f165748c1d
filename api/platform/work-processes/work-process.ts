// Own code: kept pools (tinypool, piscina) leave behind what a child has started, such as an FFmpeg, when they end it or
// their server is killed; and they tell neither a kill for want of memory from a crash, nor end a child after some tasks.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AWAITED as AwaitedArgument, WorkAnswer, WorkError, WorkOrder } from './work-entry.ts';
import { WorkProcessError } from './work-process-error.ts';

/** The argument that work-entry.ts looks for. That file must not be loaded here, so the word stands here again. */
const AWAITED: typeof AwaitedArgument = 'awaited';
const ENTRY = fileURLToPath(new URL('./work-entry.ts', import.meta.url));
/**
 * What a process may know of the environment. It reads files of strangers, so it gets no keys and no passwords.
 */
const PASSED_ON = /^(PATH|HOME|TMPDIR|TMP|TEMP|SystemRoot|TZ|LANG|LC_\w+|LD_\w+|NODE_\w+)$/i;

/** Settings of glibc's allocator. */
const ALLOCATOR = {
  // Each arena keeps what it has taken. Two are as fast as dozens.
  MALLOC_ARENA_MAX: '2',
  // Pieces of a megabyte and more, such as frames, are given back as soon as they are free.
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** A function that another process can run. What it takes, reports and returns is copied by structured cloning. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of any function
type Work = (task: any, report: (message: any) => void) => Promise<any>;
type MessageOf<Function extends Work> = Parameters<Function> extends [unknown, (message: infer M) => void] ? M : never;

type Receive = (message: unknown) => void;
type WorkEnd = Exclude<WorkAnswer, { message: unknown }>;

interface RunOptions<Message> {
  /** Ends the process at once, and with it everything that it has started. */
  signal?: AbortSignal | undefined;
  /** Called for every message that the work reports. Must not throw. */
  onMessage?: (message: Message) => void;
}

interface Reuse {
  /** How many tasks a process does before it ends. */
  maxTasks?: number;
  /** How long it waits for the next one. */
  idleMs?: number;
  /** Somebody waits for this work in front of a page, so it goes before other work. */
  isAwaited?: boolean;
}

/** The process has ended by itself. The task may be the reason, or what an earlier one has left behind. */
class CrashError extends Error {}

interface WorkProcess {
  child: ChildProcess;
  tasksDone: number;
  /** Ends it when it has waited long enough. */
  timer?: NodeJS.Timeout;
}

/**
 * Runs the exported functions of a module in processes of their own, because an allocator keeps most of what such work
 * with pixels has taken, and a process gives it back when it ends. A process has one task at a time, so a crash or an
 * abort takes no other task with it. It ends after one, unless `maxTasks` allows more. Then a task whose process crashes
 * is done once more in a new one, so that a task is only blamed for its own crash.
 *
 * A call rejects with what the work has thrown (an Error with the name, message, code and syscall of the original),
 * with the signal's reason, with an error that names the signal or the code with which the process has crashed, or with
 * WorkProcessError. The work has ended when a call settles.
 */
export function workIn<Module extends Record<keyof Module, Work>>(
  module: URL,
  { maxTasks = 1, idleMs = 5_000, isAwaited = false }: Reuse = {},
) {
  const { take, keep } = createPool({ idleMs, isAwaited });
  let orders = 0;

  /**
   * Starts a process, so that the next task begins at once, or makes a waiting one wait longer. A task may be sent to
   * it while it still loads its module. If it cannot, the task hears of it. `first`: also does this, and nobody waits
   * for it.
   */
  function warmUp<Name extends keyof Module & string>(first?: { name: Name; task: Parameters<Module[Name]>[0] }): void {
    try {
      const warmed = take({ isNew: false });
      const order: WorkOrder = { number: ++orders, module: module.href, name: null, task: undefined, ...first };
      // A process that could not be started takes none.
      if (warmed.child.connected) warmed.child.send(order, () => undefined);
      keep(warmed);
    } catch {
      // There is no memory for a process, or no descriptor. It is for the task to say so, if that lasts.
    }
  }

  async function perform(
    order: Omit<WorkOrder, 'number' | 'module'>,
    { signal, onMessage, isNew }: RunOptions<unknown> & { isNew: boolean },
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = take({ isNew });
    let answer: WorkEnd | undefined;
    try {
      answer = await send(worker.child, { number: ++orders, module: module.href, ...order }, signal, onMessage);
    } finally {
      worker.tasksDone++;
      if (answer && worker.tasksDone < maxTasks) keep(worker);
      else await end(worker.child);
    }
    if ('error' in answer) throw revive(answer.error);
    return answer.result;
  }

  const run = async <Name extends keyof Module & string>(
    name: Name,
    task: Parameters<Module[Name]>[0],
    { signal, onMessage }: RunOptions<MessageOf<Module[Name]>> = {},
  ): Promise<Awaited<ReturnType<Module[Name]>>> => {
    const options = { signal, onMessage: onMessage as Receive | undefined };
    const result = await perform({ name, task }, { ...options, isNew: false }).catch((error: unknown) => {
      if (!(error instanceof CrashError) || maxTasks === 1) throw error;
      return perform({ name, task }, { ...options, isNew: true });
    });
    return result as Awaited<ReturnType<Module[Name]>>;
  };
  return Object.assign(run, { warmUp });
}

/** The processes that wait for a task. */
function createPool({ idleMs, isAwaited }: Required<Omit<Reuse, 'maxTasks'>>) {
  const idle: WorkProcess[] = [];

  function open(): WorkProcess {
    const opened: WorkProcess = { child: start(isAwaited), tasksDone: 0 };
    opened.child.once('disconnect', () => leave(opened)).once('exit', () => leave(opened));
    return opened;
  }

  function leave(left: WorkProcess): void {
    clearTimeout(left.timer);
    const index = idle.indexOf(left);
    if (index >= 0) idle.splice(index, 1);
  }

  function take({ isNew }: { isNew: boolean }): WorkProcess {
    const taken = (isNew ? undefined : idle.pop()) ?? open();
    clearTimeout(taken.timer);
    taken.child.ref();
    taken.child.channel?.ref();
    return taken;
  }

  /** Keeps a process for the next task. The server may end meanwhile. */
  function keep(kept: WorkProcess): void {
    kept.child.unref();
    kept.child.channel?.unref();
    // One that could not be started, has ended, or is about to, takes no task.
    if (kept.child.pid === undefined || !kept.child.connected) return;
    idle.push(kept);
    kept.timer = setTimeout(() => {
      leave(kept);
      void end(kept.child);
    }, idleMs).unref();
  }

  return { take, keep };
}

function start(isAwaited: boolean): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  const child = fork(ENTRY, isAwaited ? [AWAITED] : [], {
    // In megabytes: half of each thread's room for new objects. With V8's own choice it grows and stays.
    execArgv: ['--max-semi-space-size=4'],
    env: { ...env, ...ALLOCATOR },
    serialization: 'advanced',
    // A group of its own: Ctrl-C in a terminal reaches only the server, which decides what becomes of the work.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // A task hears of an error by its own listener. Between tasks the exit follows, and says enough.
  child.on('error', () => undefined);
  return child;
}

/** Sends a task and waits for its end. Rejects when there is no answer. */
async function send(
  child: ChildProcess,
  order: WorkOrder,
  signal: AbortSignal | undefined,
  onMessage: Receive | undefined,
): Promise<WorkEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkEnd>();
  const receive = (answer: WorkAnswer) => {
    // What an earlier order reports after its end belongs to nobody.
    if (answer.number !== order.number) return;
    if ('message' in answer) onMessage?.(answer.message);
    else resolve(answer);
  };
  const leave = (code: number | null, by: NodeJS.Signals | null) => {
    const end = `the process for «${order.name}» ended with ${by ?? `code ${code}`}`;
    // Nothing in it does that: the kernel does when memory runs out, or somebody by hand.
    reject(by === 'SIGKILL' ? new WorkProcessError(end) : new CrashError(end));
  };
  const fail = (error: Error) => reject(new WorkProcessError(`there is no process for «${order.name}»`, error));
  const stop = () => reject(signal?.reason);
  child.on('message', receive).once('exit', leave).once('error', fail);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (child.connected) child.send(order, (error) => error && fail(error));
    // Why one could not be started is told by an event.
    else if (child.pid !== undefined) fail(new Error('it has ended'));
    return await promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    child.off('message', receive).off('exit', leave).off('error', fail);
  }
}

/** Kills a process and what it has started, such as an FFmpeg. Resolves when it has ended. */
async function end(child: ChildProcess): Promise<void> {
  // A process that could not be started has no id.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  if (process.platform === 'win32') child.kill('SIGKILL');
  else process.kill(-child.pid, 'SIGKILL');
  await exit;
}

function revive({ message, ...rest }: WorkError): Error {
  // An FFmpeg of the process was killed, for example.
  if (rest.name === WorkProcessError.name) return new WorkProcessError(message);
  return Object.assign(new Error(message), rest);
}

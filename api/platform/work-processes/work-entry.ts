// The beginning of every process for work: receives tasks, one at a time, and answers them.
import { flushCompileCache } from 'node:module';
import { lowerPriority } from './lower-priority.ts';
import { WorkProcessError } from './work-process-error.ts';

/** The argument of a process whose work goes before that of others. */
export const AWAITED = 'awaited';

export interface WorkOrder {
  /** Names its answers. A process may have other orders before and after it. */
  number: number;
  /** Address of the module and name of the function. */
  module: string;
  /** Null only loads the module. */
  name: string | null;
  task: unknown;
}

/** What is left of an Error on its way between processes. */
export interface WorkError {
  name: string;
  message: string;
  stack: string | undefined;
  /** Of errors of the file system. */
  code?: string;
  syscall?: string;
}

export type WorkAnswer = { number: number } & ({ message: unknown } | { result: unknown } | { error: WorkError });

/** A module for work. */
type Works = Record<string, (task: unknown, report: (message: unknown) => void) => unknown>;

lowerPriority({ isAwaited: process.argv.includes(AWAITED) });

// A supervisor that stops the server may signal all its processes. The server decides what becomes of the work.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);

// Nobody waits for the result of a server that has been killed. The next one starts the work again.
process.once('disconnect', () => {
  if (process.platform === 'win32') process.exit(1);
  // What it has started ends, too.
  process.kill(-process.pid, 'SIGKILL');
});

process.on('message', async ({ number, module, name, task }: WorkOrder) => {
  try {
    const works = await load(module);
    const result = name === null ? null : await works[name]?.(task, (message) => answer({ number, message }));
    answer({ number, result });
  } catch (error) {
    answer({ number, error: describe(error) });
  }
});

/** Its libraries may not find the memory that they need. */
async function load(module: string): Promise<Works> {
  try {
    const works = (await import(module)) as Works;
    // Nobody waits for this process to end by itself, so it writes now what it has compiled. The next one then loads no
    // compiler of types.
    flushCompileCache();
    return works;
  } catch (error) {
    throw new WorkProcessError(`a module for work cannot be loaded: ${error}`, error);
  }
}

function answer(message: WorkAnswer): void {
  // The server may be gone.
  process.send?.(message, undefined, undefined, () => undefined);
}

function describe(error: unknown): WorkError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined };
  const { name, message, stack } = error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return {
    name,
    message,
    stack,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(syscall === undefined ? {} : { syscall }),
  };
}

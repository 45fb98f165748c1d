// The beginning of every process for work: receives tasks, one at a time, and answers them.

export interface WorkOrder {
  /** Address of the module and name of the function. */
  module: string;
  name: string;
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

export type WorkAnswer = { message: unknown } | { result: unknown } | { error: WorkError };

// A supervisor that stops the server may signal all its processes. The server decides what becomes of the work.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);

// Nobody waits for the result of a server that has been killed. The next one starts the work again.
process.once('disconnect', () => {
  if (process.platform === 'win32') process.exit(1);
  // What it has started ends, too.
  process.kill(-process.pid, 'SIGKILL');
});

process.on('message', async ({ module, name, task }: WorkOrder) => {
  try {
    const works = (await import(module)) as Record<
      string,
      (task: unknown, report: (message: unknown) => void) => unknown
    >;
    const result = await works[name]?.(task, (message) => answer({ message }));
    answer({ result });
  } catch (error) {
    answer({ error: describe(error) });
  }
});

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

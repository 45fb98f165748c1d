import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ChildScript {
  /** Resolves with the next line that the script prints. */
  nextLine(): Promise<string>;
  kill(): Promise<void>;
}

/** Runs TypeScript code in a separate process that a test can kill with SIGKILL. `#…` imports work there too. */
export function runChildScript(source: string, env: Record<string, string> = {}): ChildScript {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('the child has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async nextLine() {
      const { value, done } = await lines.next();
      if (done) throw new Error('the child ended without another line');
      return value;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

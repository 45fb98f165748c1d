import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';

// Work for the tests of processes.

export async function double(numbers: Uint8Array, report: (share: number) => void): Promise<Uint8Array> {
  report(0.5);
  report(1);
  return numbers.map((number) => number * 2);
}

export async function describeProcess(_task: null) {
  return {
    pid: process.pid,
    hasSecret: process.env.SESSION_SECRET !== undefined,
    priority: getPriority(),
    /** Null where the kernel has none. */
    autogroup: await readFile('/proc/self/autogroup', 'utf8').then(
      (text) => text.trim(),
      () => null,
    ),
  };
}

export async function readMissing(file: string): Promise<void> {
  await readFile(file);
}

export async function crash(name: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, name);
  await new Promise(() => undefined);
}

/** Crashes as often as there are digits missing in the file: each crash writes one. */
export async function crashTwice(file: string): Promise<string> {
  const crashes = (await readFile(file, 'utf8')).length;
  if (crashes === 2) return 'done';
  await appendFile(file, '1');
  process.kill(process.pid, 'SIGSEGV');
  return new Promise(() => undefined);
}

const lateReport = Promise.withResolvers<void>();

/** Reports once more after its end, while `reportAfterIt` runs. */
export async function reportLate(_task: null, report: (text: string) => void): Promise<void> {
  void lateReport.promise.then(() => report('late'));
}

export async function reportAfterIt(_task: null, report: (text: string) => void): Promise<void> {
  lateReport.resolve();
  await lateReport.promise;
  report('own');
}

/** Reports its process, and ends when there is such a file. */
export async function waitForFile(file: string, report: (pid: number) => void): Promise<string> {
  report(process.pid);
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
  return 'done';
}

/** Never ends. Reports its own process and one that it has started. */
export async function hang(_task: null, report: (pids: number[]) => void): Promise<void> {
  const child = spawn('sleep', ['600']);
  report([process.pid, child.pid ?? 0]);
  await new Promise(() => undefined);
}

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

// Work for the tests of processes.

export async function double(numbers: Uint8Array, report: (share: number) => void): Promise<Uint8Array> {
  report(0.5);
  report(1);
  return numbers.map((number) => number * 2);
}

export async function tellProcess(_task: null): Promise<{ pid: number; hasSecret: boolean }> {
  return { pid: process.pid, hasSecret: process.env.SESSION_SECRET !== undefined };
}

export async function readMissing(file: string): Promise<void> {
  await readFile(file);
}

export async function crash(name: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, name);
  await new Promise(() => undefined);
}

/** Never ends. Reports its own process and one that it has started. */
export async function hang(_task: null, report: (pids: number[]) => void): Promise<void> {
  const child = spawn('sleep', ['600']);
  report([process.pid, child.pid ?? 0]);
  await new Promise(() => undefined);
}

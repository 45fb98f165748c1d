import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * `Rss`: resident memory. `Pss`: each process's share of it. Pages of several processes, such as Node's own code, count
 * once in the sum of their shares, and once for each process in the sum of their resident memory.
 */
type Measure = 'Rss' | 'Pss';

/** Memory of a process and its children, in bytes. Reads /proc. A process that has just ended has none. */
export function measureTree(pid: number, measure: Measure): number {
  try {
    const children = listChildren(pid);
    const lines = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = Number(new RegExp(`^${measure}:\\s+(\\d+)`, 'm').exec(lines)?.[1] ?? 0);
    return kilobytes * 1024 + children.reduce((sum, child) => sum + measureTree(child, measure), 0);
  } catch {
    return 0;
  }
}

/** A process and its children, by id. */
export function listTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listTree)];
}

/**
 * CPU time that a process and its children spend during the work, in milliseconds. Reads /proc. Threads that end
 * meanwhile are not counted.
 */
export async function measureTreeCpu(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = new Map(listThreads(pid));
  await work();
  const spent = listThreads(pid).map(([thread, nanoseconds]) => nanoseconds - (before.get(thread) ?? 0));
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

/** CPU time of each thread of a process and its children, in nanoseconds. None for a process that has just ended. */
function listThreads(pid: number): [thread: string, nanoseconds: number][] {
  try {
    const own = readdirSync(`/proc/${pid}/task`).map((thread): [string, number] => {
      return [thread, readThread(pid, thread)];
    });
    return [...own, ...listChildren(pid).flatMap(listThreads)];
  } catch {
    return [];
  }
}

/** CPU time of the thread that a process began with, in milliseconds since then. */
export function readMainThreadCpu(pid: number): number {
  return readThread(pid, String(pid)) / 1e6;
}

/** In nanoseconds. */
function readThread(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
}

const TICKS_PER_SECOND = 100;

/** CPU time of a process, of its children and of those that have ended, in milliseconds: whole ticks. Reads /proc. */
export function readTreeCpu(pid: number): number {
  try {
    const children = listChildren(pid);
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may contain spaces, the times are fields 14 to 17 of the line.
    const times = status
      .slice(status.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    const own = times.reduce((sum, ticks) => sum + (Number(ticks) * 1000) / TICKS_PER_SECOND, 0);
    return own + children.reduce((sum, child) => sum + readTreeCpu(child), 0);
  } catch {
    return 0;
  }
}

/** Empty for a process that has just ended. */
function listChildren(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

export function toMegabytes(bytes = 0): number {
  return Math.round(bytes / 1024 / 1024);
}

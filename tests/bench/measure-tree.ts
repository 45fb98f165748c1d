import { existsSync, readFileSync } from 'node:fs';

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

/** Empty for a process that has just ended. */
function listChildren(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

export function toMegabytes(bytes = 0): number {
  return Math.round(bytes / 1024 / 1024);
}

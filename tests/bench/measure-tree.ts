import { readFileSync } from 'node:fs';

/** Resident memory of a process and its children, in bytes. Reads /proc. A process that has just ended has none. */
export function measureTree(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    return kilobytes * 1024 + children.reduce((sum, child) => sum + measureTree(Number(child)), 0);
  } catch {
    return 0;
  }
}

export function toMegabytes(bytes = 0): number {
  return Math.round(bytes / 1024 / 1024);
}

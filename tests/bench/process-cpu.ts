import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that the threads of a process and of its children have used so far, in milliseconds. Reads /proc. */
export function readTreeCpu(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const own = threads.reduce((sum, thread) => sum + readThreadCpu(pid, thread), 0);
    return own + listChildren(pid).reduce((sum, child) => sum + readTreeCpu(child), 0);
  } catch {
    // The process has just ended.
    return 0;
  }
}

/** Nanoseconds are the first number of schedstat. The ticks of `stat` are too coarse for a request. */
function readThreadCpu(pid: number, thread: string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

function listChildren(pid: number): number[] {
  const files = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/children`);
  return files.flatMap((file) => readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number));
}

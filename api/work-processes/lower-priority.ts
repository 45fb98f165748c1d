import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Lowers the priority of the calling thread, and of threads that it starts, below the server. Rendering can wait. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // On Linux each thread has its own priority, addressed by the thread's id.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Optional; some containers forbid it.
  }
}

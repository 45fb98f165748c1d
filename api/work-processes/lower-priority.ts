import { readlinkSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of this process below that of the server: of its main thread and of threads and processes that it
 * starts from now on. Answers come first, and work with pixels takes what they leave. Only for a process that has a
 * session of its own.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // On Linux each thread has its own priority, addressed by the thread's id.
  tryOptional(() => setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), PRIORITY_BELOW_NORMAL));
  // With the kernel's autogroup, a thread's priority only counts within its session, and all sessions share alike.
  tryOptional(() => writeFileSync('/proc/self/autogroup', String(PRIORITY_BELOW_NORMAL)));
}

/** Some containers forbid it, and not every kernel has it. The work is the same without. */
function tryOptional(change: () => void): void {
  try {
    change();
  } catch {
    // See above.
  }
}

import { readlinkSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Between the server and other work: a busy machine gives it three times as much. */
const AWAITED_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL / 2;

/**
 * Lowers the priority of this process below that of the server: of its main thread and of threads and processes that it
 * starts from now on. Answers come first, and work with pixels takes what they leave. `isAwaited`: somebody looks at
 * the page and waits for nothing else, so this goes before other work. Only for a process that has a session of its
 * own.
 */
export function lowerPriority({ isAwaited }: { isAwaited: boolean }): void {
  if (process.platform !== 'linux') return;
  const priority = isAwaited ? AWAITED_PRIORITY : constants.priority.PRIORITY_BELOW_NORMAL;
  // On Linux each thread has its own priority, addressed by the thread's id.
  tryOptional(() => setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), priority));
  // With the kernel's autogroup, a thread's priority only counts within its session, and all sessions share alike.
  tryOptional(() => writeFileSync('/proc/self/autogroup', String(priority)));
}

/** Some containers forbid it, and not every kernel has it. The work is the same without. */
function tryOptional(change: () => void): void {
  try {
    change();
  } catch {
    // See above.
  }
}

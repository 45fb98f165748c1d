import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Rendering is patient: the calling worker thread steps back behind the one that answers requests. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // On Linux a thread has a priority of its own, addressed by the thread's id.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Only a courtesy; some containers forbid it.
  }
}

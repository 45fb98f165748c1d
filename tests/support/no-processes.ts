import { readdirSync, readFileSync } from 'node:fs';

const { execPath } = process;

/**
 * From now on no process for work can be started, as on a machine without memory, and none is left that waits for work.
 * Returns what ends that.
 */
export function startNoProcesses(): () => void {
  process.execPath = '/no/such/node';
  for (const thread of readdirSync('/proc/self/task')) {
    const children = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim();
    for (const pid of children === '' ? [] : children.split(' ').map(Number)) {
      if (isForWork(pid)) process.kill(pid, 'SIGKILL');
    }
  }
  return () => {
    process.execPath = execPath;
  };
}

function isForWork(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('work-entry');
  } catch {
    // It has just ended.
    return false;
  }
}

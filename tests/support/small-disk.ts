import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A file system of its own for a test, in memory. */
export interface SmallDisk {
  folder: string;
  makeReadOnly(): void;
  makeWritable(): void;
  remove(): void;
}

/** Mounts a disk of `bytes`. Null where the user of this machine may not mount. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-disk-'));
  const run = (command: string, ...parts: string[]) => execFileSync(command, parts, { stdio: 'pipe' });
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'podium', folder);
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    makeReadOnly: () => void run('mount', '-o', 'remount,ro', folder),
    makeWritable: () => void run('mount', '-o', 'remount,rw', folder),
    remove() {
      // Lazy, because a process that was killed may not have closed its files yet.
      run('umount', '-l', folder);
      rmSync(folder, { recursive: true });
    },
  };
}

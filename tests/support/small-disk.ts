import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SHRINK_INTERVAL_MS = 50;

/** A file system of its own for a test, in memory. */
export interface SmallDisk {
  folder: string;
  makeReadOnly(): void;
  makeWritable(): void;
  /** Keeps the disk so small that only this much is left, also when files are removed. Files that are there stay. */
  leave(bytes: number): void;
  /** Gives the disk its first size back. */
  makeRoom(): void;
  /** Shows a folder of this disk at another path, where nothing is yet. */
  plugIn(folder: string, at: string): void;
  /** The path is gone, under running processes too. */
  unplug(at: string): void;
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
  const resize = (size: number) => void run('mount', '-o', `remount,size=${size}`, folder);
  const plugged = new Set<string>();
  let keeper: NodeJS.Timeout | undefined;
  const unplug = (at: string) => {
    // Lazy, because a process may have open files, or was killed and has not closed them yet.
    run('umount', '-l', at);
    rmSync(at, { recursive: true });
    plugged.delete(at);
  };
  return {
    folder,
    makeReadOnly: () => untilItWorks(() => void run('mount', '-o', 'remount,ro', folder)),
    makeWritable: () => void run('mount', '-o', 'remount,rw', folder),
    leave(left) {
      clearInterval(keeper);
      shrink(folder, left, resize);
      keeper = setInterval(() => shrink(folder, left, resize), SHRINK_INTERVAL_MS);
    },
    makeRoom() {
      clearInterval(keeper);
      resize(bytes);
    },
    plugIn(inside, at) {
      mkdirSync(path.join(folder, inside), { recursive: true });
      mkdirSync(at);
      run('mount', '--bind', path.join(folder, inside), at);
      plugged.add(at);
    },
    unplug,
    remove() {
      clearInterval(keeper);
      for (const at of plugged) unplug(at);
      run('umount', '-l', folder);
      rmSync(folder, { recursive: true });
    },
  };
}

function shrink(folder: string, left: number, resize: (bytes: number) => void): void {
  const { bfree, bsize } = statfsSync(folder);
  if (bfree * bsize <= Math.max(bsize, left)) return;
  // What is written meanwhile makes the new size too small, which is refused.
  untilItWorks(() => {
    const now = statfsSync(folder);
    // A size of 0 would be no limit.
    resize(Math.max(now.bsize, (now.blocks - now.bfree) * now.bsize + left));
  });
}

/** For what the system refuses while a file is being written. */
function untilItWorks(act: () => void, triesLeft = 200): void {
  try {
    act();
  } catch (error) {
    if (triesLeft === 0) throw error;
    untilItWorks(act, triesLeft - 1);
  }
}

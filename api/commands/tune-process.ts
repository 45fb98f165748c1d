// Imported first by the start. Replaces this process by one with these settings, which only count at its beginning. Its
// id and its standard streams stay, so whoever has started it notices nothing.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FLAGS = [
  // In megabytes: half of the room for new objects. With V8's own choice it grows to 64 MB in all and stays.
  '--max-semi-space-size=4',
  // The start collects once what only it needed.
  '--expose-gc',
  // In percent: how much the heap grows before V8 looks through all of it again. After the collection of the start its
  // own choice is a few megabytes, which the buffers of uploads fill at any moment.
  '--heap-growing-percent=100',
];

// Windows cannot replace a process, and --inspect has opened its port already.
if (process.platform !== 'win32' && process.execArgv.length === 0 && !process.send && process.execve) {
  const [, ...argv] = process.argv;
  process.execve(process.execPath, [process.execPath, ...FLAGS, ...argv], { ...chooseEnvironment(), ...process.env });
}

function chooseEnvironment(): Record<string, string> {
  return {
    // Each arena of glibc keeps what it has taken. Two are as fast as dozens.
    MALLOC_ARENA_MAX: '2',
    // Larger pieces are given back as soon as they are free.
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    // What was compiled by an earlier start. Without it each process also keeps a compiler of types in memory.
    NODE_COMPILE_CACHE: chooseCompileCache(),
  };
}

/** Beside the sources, so that all starts share it, or with the data where the sources may only be read. */
function chooseCompileCache(): string {
  const dataDir = process.env.DATA_DIR;
  return dataDir && !isWritable(ROOT) ? path.resolve(dataDir, 'compiled') : path.join(ROOT, '.cache/compiled');
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

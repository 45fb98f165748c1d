import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCE_PATH = join(import.meta.dirname, 'render.as.ts');
const BUILT_KERNELS = join(import.meta.dirname, '../../../../../dist/kernel');

const COMPILER_OPTIONS = [
  '--optimizeLevel',
  '3',
  '--shrinkLevel',
  '0',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--noAssert',
  '--enable',
  'simd',
  '--enable',
  'relaxed-simd',
  '--importMemory',
];

/** Path of the compiled kernel. The name contains a hash of the source, so an outdated kernel is never loaded. */
export function kernelPath(): string {
  const hash = createHash('sha256').update(readFileSync(SOURCE_PATH)).update(COMPILER_OPTIONS.join(' '));
  return join(BUILT_KERNELS, `${hash.digest('hex').slice(0, 16)}.wasm`);
}

/** The kernel is not built, and its compiler, a development dependency, is not installed. */
class KernelNotBuiltError extends Error {
  override name = 'KernelNotBuiltError';
}

/**
 * Compiles the kernel unless it exists already (about a second). Safe to call from several processes at once. Throws
 * KernelNotBuiltError when the compiler is not installed.
 */
export async function buildKernel(): Promise<void> {
  const target = kernelPath();
  if (existsSync(target)) return;
  const { default: asc } = await import('assemblyscript/asc').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new KernelNotBuiltError(
      'Not built from these sources: the render kernel. Its compiler is not installed here. ' +
        'Run `npm ci && npm run build && npm ci --omit=dev`, or copy `dist` from a folder with the same sources.',
    );
  });
  const source = readFileSync(SOURCE_PATH, 'utf8');
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['render.ts', '--outFile', 'kernel.wasm', ...COMPILER_OPTIONS], {
    readFile: (name: string) => (name === 'render.ts' ? source : null),
    writeFile: (_name: string, contents: Uint8Array | string) => {
      binary = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`the render kernel does not compile: ${error?.message}\n${stderr.toString()}`);
  await mkdir(BUILT_KERNELS, { recursive: true });
  const temporary = `${target}.${process.pid}.tmp`;
  await writeFile(temporary, binary);
  await rename(temporary, target);
}

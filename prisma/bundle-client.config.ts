import { defineConfig, type Plugin } from 'vite';

/** The query compiler, a WebAssembly module beside the bundle. */
const COMPILER_FILE = 'query-compiler.wasm';
/** How the generated client loads its query compiler: as text in base64. */
const LOADING = /const \{ wasm \} = await import\("([^"]+)"\)\s+return await decodeBase64AsWasm\(wasm\)/;

/**
 * Puts the query compiler into a file of its own. As text in the bundle it stays in memory for as long as the process
 * runs, at two bytes a character, because the bundle has letters beyond Latin-1.
 */
function keepCompilerOutside(): Plugin {
  return {
    name: 'compiler-outside',
    // Before the types are taken off.
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('/generated/internal/class.ts')) return null;
      const [loading, module] = LOADING.exec(code) ?? [];
      if (!loading || !module) throw new Error('the generated client loads its query compiler in another way');
      const { wasm } = (await import(module)) as { wasm: string };
      this.emitFile({ type: 'asset', fileName: COMPILER_FILE, source: Buffer.from(wasm, 'base64') });
      const loadFile = `const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL('./${COMPILER_FILE}', import.meta.url)))`;
      return code.replace(loading, loadFile);
    },
  };
}

/** A text with one letter beyond Latin-1 takes two bytes a character in memory. It is the same program with an escape. */
function escapeRareLetters(): Plugin {
  return {
    name: 'escape-rare-letters',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escapeLetters(file.code);
    },
  };
}

function escapeLetters(code: string): string {
  const write = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replaceAll(/[^\0-\xff]/g, write);
}

/**
 * Bundles the generated database client and the needed parts of `@prisma/client` into one file. A production folder
 * then needs neither that package, whose 70 MB are mostly for other databases, nor its peers `prisma` and `typescript`,
 * which npm would install with it.
 */
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  plugins: [keepCompilerOutside(), escapeRareLetters()],
  build: {
    ssr: 'prisma/generated/client.ts',
    ssrEmitAssets: true,
    target: 'es2024',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'client.mjs', codeSplitting: false } },
  },
});

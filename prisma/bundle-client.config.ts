import { defineConfig } from 'vite';

/**
 * Bundles the generated database client and the needed parts of `@prisma/client`. A production folder then needs neither
 * that package, whose 70 MB are mostly for other databases, nor its peers `prisma` and `typescript`, which npm would
 * install with it.
 */
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'prisma/generated/client.ts',
    target: 'es2024',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'client.mjs' } },
  },
});

import { defineConfig } from 'vite';

/**
 * Makes one file of the generated database client and the parts of `@prisma/client` that it runs on. A production folder
 * then needs neither that package, most of whose 70 MB are for other databases, nor its peers `prisma` and `typescript`,
 * which npm would install beside it.
 */
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'prisma/generated/client.ts',
    target: 'es2024',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'client.mjs', codeSplitting: false } },
  },
});

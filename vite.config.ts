/// <reference types="vitest/config" />
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  root: 'pwa',
  plugins: [react(), tailwindcss()],
  // The prerendering is built whole, for production like the interface itself.
  ssr: { noExternal: true },
  build: {
    outDir: '../dist/pwa',
    emptyOutDir: true,
    target: 'es2024',
    // Fonts as data: URLs would break the security policy, and pictures cache better as files.
    assetsInlineLimit: 0,
    // All styles are small, and prerendered pages need theirs at once.
    cssCodeSplit: false,
    copyPublicDir: !isSsrBuild,
    // Every browser of our target knows it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // One file for all that every page starts with: a request each would cost more than it saves.
      output: isSsrBuild ? {} : { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
  test: {
    // Vitest leaves a core idle by itself, which on the two of a small CI machine is half of them.
    maxWorkers: '100%',
    projects: [
      testProject('unit', [
        'tests/*.test.ts',
        'tests/{shared,pwa}/**/*.test.{ts,tsx}',
        'tests/api/catalogue/**/*.test.ts',
        'tests/api/adapters/{generation-engines,video-encoder,storage,mail}/**/*.test.ts',
      ]),
      // What touches the database; `npm test` runs it a second time on a PostgreSQL server.
      testProject(
        'database',
        [
          'tests/{bot,prisma}/**/*.test.ts',
          'tests/api/{commands,jobs,plugins,routes,services}/**/*.test.ts',
          'tests/api/adapters/{embedded-postgres,payments}/**/*.test.ts',
          'tests/api/*.test.ts',
        ],
        {
          globalSetup: path.join(import.meta.dirname, 'tests/support/prepare-database.ts'),
        },
      ),
      // The whole program in processes of its own: one at a time, because each fills the machine.
      testProject('program', ['tests/{commands,crash}/**/*.test.ts'], { fileParallelism: false }),
    ],
  },
}));

function testProject(
  name: string,
  include: string[],
  options: { globalSetup?: string; fileParallelism?: boolean } = {},
) {
  return { root: import.meta.dirname, test: { name, include, testTimeout: 60_000, hookTimeout: 60_000, ...options } };
}

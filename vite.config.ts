/// <reference types="vitest/config" />
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'pwa',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/pwa',
    emptyOutDir: true,
    target: 'es2024',
    // Fonts as data: URLs would break the security policy, and pictures cache better as files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // One chunk for zod and its setting: the setting must take effect before any schema is made.
      output: { codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|zod-without-eval/ }] } },
    },
  },
  test: {
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
          'tests/api/adapters/embedded-postgres/**/*.test.ts',
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
});

function testProject(
  name: string,
  include: string[],
  options: { globalSetup?: string; fileParallelism?: boolean } = {},
) {
  return { root: import.meta.dirname, test: { name, include, testTimeout: 60_000, hookTimeout: 60_000, ...options } };
}

/// <reference types="vitest/config" />
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'pwa',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: process.env.PWA_OUT_DIR ?? '../dist/pwa',
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
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      testProject('unit', ['tests/*.test.ts', 'tests/shared/**/*.test.ts', 'tests/pwa/**/*.test.{ts,tsx}']),
      // What touches the database; `npm test` runs it a second time on a PostgreSQL server.
      testProject('database', ['tests/{api,bot,prisma}/**/*.test.ts'], {
        globalSetup: './tests/support/prepare-database.ts',
      }),
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
  return { root: import.meta.dirname, test: { name, include, testTimeout: 20_000, hookTimeout: 60_000, ...options } };
}

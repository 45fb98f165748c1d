/// <reference types="vitest/config" />
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import type { UserWorkspaceConfig } from 'vitest/config';
import { aliasReactRouter } from './pwa/react-router-alias.ts';
import { WEB_MANIFEST } from './pwa/web-manifest.ts';

/** What the landing loads beside what every page starts with: a dozen small modules. */
const FIRST_PAGE =
  /pwa\/(pages\/landing-page(\.tsx|\/(hero|use-))|app\/prepare-storage|lib\/(format|use-media-query|(consent-|legacy-)?storage))|rules\/plurals|idb-keyval|icons\/(arrow-right|pause|play)\.|rolldown/;
/** It measures its process, which must be its own. */
const MEMORY_TEST = 'tests/api/services/photos/decoding.test.ts';
/** Most of a short test's time would go into loading the modules anew for its file. */
const UNIT_OPTIONS = {
  isolate: false,
  setupFiles: path.join(import.meta.dirname, 'tests/support/put-back-globals.ts'),
};
const UNIT_TESTS = [
  'tests/*.test.ts',
  'tests/{shared,pwa}/**/*.test.{ts,tsx}',
  'tests/api/catalogue/**/*.test.ts',
  'tests/api/adapters/{generation-engines,video-encoder,storage,mail,push}/**/*.test.ts',
  MEMORY_TEST,
];
/** They replace what modules remember once loaded, so each of them loads its modules for itself. */
const OWN_MODULES = /vi\.(mock|resetModules)\(|fake-indexed-db|happy-dom/;
const ISOLATED_TESTS = globSync(UNIT_TESTS, { cwd: import.meta.dirname }).filter(
  (file) => file === MEMORY_TEST || OWN_MODULES.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
);
const DATABASE_TESTS = [
  'tests/{bot,prisma}/**/*.test.ts',
  'tests/api/{commands,jobs,plugins,routes,services}/**/*.test.ts',
  'tests/api/adapters/{embedded-postgres,payments}/**/*.test.ts',
  'tests/api/*.test.ts',
];
/** What depends on how the embedded database does it: its adapter, the queue, nudges, statements by hand, locks, the books. */
const EMBEDDED_TESTS = [
  'tests/api/adapters/embedded-postgres/*.test.ts',
  'tests/api/{db,queue,queue-takeover}.test.ts',
  'tests/api/commands/{books,run-operator-command}.test.ts',
  'tests/api/routes/events.test.ts',
  'tests/api/services/generations/{start-generation-statement,priority}.test.ts',
  'tests/api/services/accounts/email-locks.test.ts',
  'tests/api/services/stars/ledger.test.ts',
  'tests/api/services/**/*.property.test.ts',
  'tests/prisma/*.test.ts',
];
const DATABASE_OPTIONS = {
  globalSetup: path.join(import.meta.dirname, 'tests/support/prepare-database.ts'),
  // To load the server anew for each file took a third of the time. What a test changes outside the app that it
  // has made for itself (a spy on a global, a clock), it puts back.
  isolate: false,
};

export default defineConfig(({ isSsrBuild }) => ({
  root: 'pwa',
  resolve: {
    alias: aliasReactRouter(import.meta.dirname),
  },
  // The prerendering is no second application: it gets no worker.
  plugins: [react(), tailwindcss(), isSsrBuild ? [] : serviceWorker()],
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
    // The list of what to load ahead would be a fortieth of the first page's code, and the worker keeps all of it anyway.
    modulePreload: false,
    rolldownOptions: {
      // One file for all that every page starts with, the first one whole: a request each would cost more than it saves.
      output: isSsrBuild
        ? {}
        : {
            codeSplitting: {
              groups: [
                { name: 'start', tags: ['$initial'] },
                { name: 'start', test: FIRST_PAGE },
              ],
            },
          },
    },
  },
  test: {
    // Half of what the tests of the bot and of the lifecycle do is waiting; the others are not slower for it.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      testProject('unit', UNIT_TESTS, { ...UNIT_OPTIONS, exclude: ISOLATED_TESTS }),
      testProject('isolated', ISOLATED_TESTS),
      // What touches the database: on the PostgreSQL server of TEST_DATABASE_URL, or embedded without one.
      testProject('database', DATABASE_TESTS, { ...DATABASE_OPTIONS, exclude: [MEMORY_TEST] }),
      // Beside a server: what the embedded database does in a way of its own.
      ...(process.env.TEST_DATABASE_URL
        ? [
            testProject('embedded', EMBEDDED_TESTS.map(assertThereAre), {
              ...DATABASE_OPTIONS,
              env: { TEST_DATABASE_URL: '', TESTS_EMBEDDED_BESIDE_SERVER: '1' },
            }),
          ]
        : []),
      // The whole program in processes of its own: one at a time, because each fills the machine.
      testProject('program', ['tests/commands/**/*.test.ts'], { fileParallelism: false }),
      // `npm run test:crash`.
      testProject('crash', ['tests/crash/**/*.test.ts'], { fileParallelism: false }),
    ],
  },
}));

/** The worker of `pwa/service-worker`, served at /sw.js, and the manifest. The interface registers it by itself. */
function serviceWorker() {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'service-worker',
    filename: 'sw.ts',
    registerType: 'prompt',
    injectRegister: false,
    manifest: WEB_MANIFEST,
    // None of the manifest's pictures is needed without a network.
    includeManifestIcons: false,
    injectManifest: {
      // The document, the code, the letters and the drawings of the tools. Photographs, videos and what only the
      // landing or the administrator sees come when they are needed.
      globPatterns: ['index.html', 'before-start.js', 'icons/icon.svg', 'assets/*.{js,css,svg}', 'assets/*.woff2'],
      globIgnores: ['assets/{hero,quote,cta,sil2,sil3,sil4,sil5}*.svg', 'assets/{analytics-page,daily-chart}-*.js'],
      // A larger file breaks the build instead of being left out in silence.
      maximumFileSizeToCacheInBytes: 1024 * 1024,
    },
  });
}

/** A test that moves must not leave its list in silence. */
function assertThereAre(pattern: string): string {
  if (globSync(pattern, { cwd: import.meta.dirname }).length === 0) throw new Error(`There is no ${pattern}`);
  return pattern;
}

function testProject(name: string, include: string[], options: UserWorkspaceConfig['test'] = {}) {
  // Where nobody looks on, what is late once on a busy machine does not fail thousands of others; `npm test` names it.
  const patience = { retry: process.env.CI ? 1 : 0, testTimeout: 300_000, hookTimeout: 300_000 };
  return { root: import.meta.dirname, test: { name, include, ...patience, ...options } };
}

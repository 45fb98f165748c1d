/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { WEB_MANIFEST } from './pwa/web-manifest.ts';

const REACT_ROUTER = path.join(import.meta.dirname, 'node_modules/react-router/dist/production');
/** What the landing loads beside what every page starts with: a dozen small modules. */
const FIRST_PAGE =
  /pwa\/(pages\/landing-page(\.tsx|\/(hero|use-))|app\/open-storage|lib\/(format|use-media-query|(consent-|legacy-)?storage))|rules\/plurals|idb-keyval|icons\/(arrow-right|pause|play)\.|rolldown/;
/** It measures its process, which must be its own. */
const MEMORY_TEST = 'tests/api/services/photos/decoding.test.ts';

export default defineConfig(({ isSsrBuild }) => ({
  root: 'pwa',
  resolve: {
    // By itself the package gives its development build to everybody.
    alias: [
      { find: /^react-router$/, replacement: path.join(REACT_ROUTER, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: path.join(REACT_ROUTER, 'dom-export.mjs') },
    ],
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
      testProject('unit', [
        'tests/*.test.ts',
        'tests/{shared,pwa}/**/*.test.{ts,tsx}',
        'tests/api/catalogue/**/*.test.ts',
        'tests/api/adapters/{generation-engines,video-encoder,storage,mail,push}/**/*.test.ts',
        MEMORY_TEST,
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
          exclude: [MEMORY_TEST],
          globalSetup: path.join(import.meta.dirname, 'tests/support/prepare-database.ts'),
          // To load the server anew for each file took a third of the time. What a test changes outside the app that it
          // has made for itself (a spy on a global, a clock), it puts back.
          isolate: false,
        },
      ),
      // The whole program in processes of its own: one at a time, because each fills the machine.
      testProject('program', ['tests/{commands,crash}/**/*.test.ts'], { fileParallelism: false }),
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

function testProject(
  name: string,
  include: string[],
  options: { exclude?: string[]; globalSetup?: string; fileParallelism?: boolean; isolate?: boolean } = {},
) {
  // What is late once on a busy machine does not fail thousands of others; `npm test` names it at the end.
  const patience = { retry: 1, testTimeout: 120_000, hookTimeout: 120_000 };
  return { root: import.meta.dirname, test: { name, include, ...patience, ...options } };
}

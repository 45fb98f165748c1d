/// <reference types="vitest/config" />
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import type { UserWorkspaceConfig } from 'vitest/config';
import { prepare } from './api/commands/prepare.ts';
import { OLDEST_BROWSERS } from './pwa/browsers.ts';
import { aliasReactRouter } from './pwa/react-router-alias.ts';
import { WEB_MANIFEST } from './pwa/web-manifest.ts';

/**
 * The files of the interface's code. Without these groups a page would start with fifty files, and the worker would
 * install two hundred: each waits for its turn on the line, and small files compress badly. A group takes the modules
 * that match, and what those import, unless a group of a higher priority takes it. What no group takes is a page's own.
 * A new page needs a
 * line only if it brings files under 2 KB.
 */
const CODE_GROUPS = [
  // What every page starts with.
  { name: 'start', tags: ['$initial' as const], priority: 9 },
  {
    name: 'start',
    test: /pwa\/(app\/prepare-storage|device\/(storage|use-media-query|use-page-visible)|features\/(consent\/consent-storage|session\/session-marker))|idb-keyval|rolldown|icons\/(arrow-right|play|pause)\./,
    priority: 9,
  },
  // What public pages share with the app.
  {
    name: 'parts',
    test: /components\/(notice|skeleton|retry-notice|icon-button|toast-failure)\.|icons\/(triangle|info|mail-open|x\.)|useMutation|use-single-mutation|rules\/(waiting-time|outside-text)/,
    priority: 8,
  },
  // Schemas of what the app asks for first. Public pages load them late or never.
  {
    name: 'schemas',
    test: /node_modules\/zod|contract\/(account|endpoint|stars|tools|videos|gallery)\.|use-star-balance|load-tools|fetch-user|limit-signal|waiting-time/,
    priority: 7,
  },
  // What a later visit waits for before it draws.
  { name: 'restoring', test: /persisted-queries/, priority: 7 },
  // Texts of failures, which a page loads at its first one.
  { name: 'errors', test: /contract\/errors\./, priority: 7 },
  { name: 'app', test: /pwa\/(app\/app-layout|pages\/app-page)\.tsx/, priority: 6 },
  // Two files, because most forms of the app need no react-hook-form.
  { name: 'fields', test: /components\/(field|password-field|checkbox|tabs)\.|code-resend\./, priority: 6 },
  {
    name: 'forms',
    test: /react-hook-form|enter-session|password-reset-link|consent-boxes|refusals-at-fields/,
    priority: 6,
  },
  // What the sign-in loads at its first input.
  { name: 'validation', test: /standard-schema|registration-schema/, priority: 6 },
  // A file of 1 KB, because it is the first thing that a new visitor is shown.
  { name: 'cookie-banner', test: /cookie-banner/, priority: 6 },
  // Icons that only batches have.
  { name: 'batches', test: /icons\/(settings-2|square|table|file-archive|folder-open|inbox|columns-2)\./, priority: 6 },
  // Icons and other small things, each of several pages.
  {
    name: 'pieces',
    test: /lucide-react|components\/(before-after|crop-frame|home-link|radio-group|segmented-control)\.|cases\/tee|star-tiers|start-intent|photo-requirements|not-found-page/,
    priority: 5,
  },
  // What comes after the first draw, behind every page.
  {
    name: 'background',
    test: /pwa\/app\/(background-parts|header-account|register-service-worker)\.|send-server-event|install-card|push-devices|use-subscribe|sample-offer|contract\/catalogue|premium-status/,
    priority: 4,
  },
  { name: 'dialogs', test: /components\/dialog\.|sidebar-drawer|cookie-dialog/, priority: 3 },
  { name: 'menu', test: /components\/menu\.|account-menu/, priority: 2 },
  { name: 'uploads', test: /upload-queue|kept-photos|save-file/, priority: 2 },
  { name: 'landing', test: /landing-sections|load-landing-data/, priority: 2 },
  {
    name: 'documents',
    test: /pages\/((privacy|terms|payment|bot)\S*-policy|terms-of|personal-data|photo-transfer|company|contacts|photo-guid)/,
    priority: 2,
  },
  {
    name: 'account',
    test: /pages\/(verify-email|password-reset|chat-access)|use-account-sessions|new-password\./,
    priority: 2,
  },
  { name: 'payments', test: /pages\/(payment-(success|fail)|stars-page)|buy-stars-dialog/, priority: 1 },
  // What pages of tools share with each other and with the gallery.
  { name: 'tools', minShareCount: 2, priority: 1 },
  { name: 'administration', test: /analytics-page|confirmation-dialog|daily-chart/ },
  { name: 'settings', test: /settings-page|consent-dialog|interview-dialog/ },
];
const PUT_BACK = path.join(import.meta.dirname, 'tests/support/put-back-globals.ts');
/** Test files share their modules. Loading them again for each file would take most of the time of a short test. */
const UNIT_OPTIONS = {
  isolate: false,
  setupFiles: PUT_BACK,
};
const UNIT_TESTS = [
  'tests/*.test.ts',
  'tests/{shared,pwa}/**/*.test.{ts,tsx}',
  'tests/api/{catalogue,imaging,platform,database/embedded}/**/*.test.ts',
  'tests/api/adapters/{garment-check,generation-engines,video-encoder,storage,mail,push}/**/*.test.ts',
];
/** Tests that draw pages (`tests/pwa/support/open-screen.tsx`) or components, and undo what these change. */
const SCREEN_TESTS = ['tests/pwa/{screens,texts}/**/*.test.ts', 'tests/pwa/**/*.test.tsx'];
/**
 * Unit tests that change the state of modules (they replace or reset a module, or replace the storage) or measure the
 * memory of their process. Each such file has its modules and its process for itself.
 */
const ISOLATED_TESTS = ['tests/**/*.isolated.test.{ts,tsx}'];
const DATABASE_TESTS = [
  'tests/{bot,prisma}/**/*.test.ts',
  'tests/api/{commands,config,jobs,plugins,queue,routes,services,telemetry}/**/*.test.ts',
  'tests/api/adapters/payments/**/*.test.ts',
  'tests/api/{,database/}*.test.ts',
];
/** Tests whose subject depends on the embedded database: the queue, account events, own SQL, locks, the books. */
const EMBEDDED_TESTS = [
  'tests/api/{database/database,queue/queue,queue-takeover}.test.ts',
  'tests/api/commands/{books,run-operator-command}.test.ts',
  'tests/api/routes/events.test.ts',
  'tests/api/services/generations/starting/{insert-generation,priority}.test.ts',
  'tests/api/services/accounts/email-locks.test.ts',
  'tests/api/services/core/limits.test.ts',
  'tests/api/services/stars/ledger.test.ts',
  'tests/api/services/**/*.property.test.ts',
  'tests/prisma/*.test.ts',
];
const DATABASE_OPTIONS = {
  globalSetup: path.join(import.meta.dirname, 'tests/support/prepare-database.ts'),
  // Loading the server again for each file took a third of the time. A test undoes every change outside its own app,
  // such as a spy on a global or a fake clock.
  isolate: false,
  setupFiles: PUT_BACK,
};

const SLOW_LIMITS = { testTimeout: 900_000, hookTimeout: 900_000 };

// Tests import the database client. When it is up to date, this reads three files.
if (process.env.VITEST) prepare({ pwa: false });

export default defineConfig(({ isSsrBuild }) => ({
  root: 'pwa',
  resolve: {
    alias: aliasReactRouter(import.meta.dirname),
  },
  // The build for prerendering has no service worker.
  plugins: [react(), tailwindcss(), isSsrBuild ? [] : serviceWorker()],
  // The build for prerendering includes its dependencies, in their production form. Tests would inherit this, and
  // transform every dependency before they load it.
  ssr: isSsrBuild ? { noExternal: true } : {},
  build: {
    outDir: '../dist/pwa',
    emptyOutDir: true,
    target: Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version),
    // The security policy forbids fonts as data: URLs, and pictures are cached better as files.
    assetsInlineLimit: 0,
    // The styles are small, and prerendered pages need them at once.
    cssCodeSplit: false,
    copyPublicDir: !isSsrBuild,
    // The list of modules to preload would add a fortieth to the first page's code. The worker caches them all anyway.
    modulePreload: false,
    rolldownOptions: {
      output: isSsrBuild ? {} : { codeSplitting: { groups: CODE_GROUPS } },
    },
  },
  test: {
    // Tests of the bot and of the lifecycle wait half of the time. Three times as many workers as cores are slower.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      testProject('unit', UNIT_TESTS, { ...UNIT_OPTIONS, exclude: [...ISOLATED_TESTS, ...SCREEN_TESTS] }),
      testProject('isolated', ISOLATED_TESTS),
      testProject('screens', SCREEN_TESTS, { ...UNIT_OPTIONS, exclude: ISOLATED_TESTS }),
      // Tests with a database: on the PostgreSQL server of TEST_DATABASE_URL, or on the embedded one if it is not set.
      testProject('database', DATABASE_TESTS, { ...DATABASE_OPTIONS, exclude: ISOLATED_TESTS }),
      // When the others run on a server, these run on the embedded database too.
      ...(process.env.TEST_DATABASE_URL
        ? [
            testProject('embedded', EMBEDDED_TESTS.map(assertThereAre), {
              ...DATABASE_OPTIONS,
              env: { TEST_DATABASE_URL: '', TESTS_EMBEDDED_BESIDE_SERVER: '1' },
            }),
          ]
        : []),
      // Tests that start the whole program in separate processes. They come last, because a start on a busy machine is slow.
      testProject('program', ['tests/commands/**/*.test.ts'], {
        sequence: { groupOrder: 1 },
        maxWorkers: availableParallelism(),
      }),
      // `npm run test:slow -- crash`, and so on.
      testProject('abuse', ['tests/slow/abuse/*.test.ts'], { ...SLOW_LIMITS, fileParallelism: false }),
      testProject('crash', ['tests/slow/crash/*.test.ts'], { ...SLOW_LIMITS, fileParallelism: false }),
      testProject('engine-chaos', ['tests/slow/engine-chaos/*.test.ts'], SLOW_LIMITS),
      testProject('faults', ['tests/slow/faults/*.test.ts'], {
        ...SLOW_LIMITS,
        fileParallelism: false,
        globalSetup: path.join(import.meta.dirname, 'tests/slow/faults/print-table.ts'),
      }),
      testProject('pixels', ['tests/slow/pixels/*.test.ts'], { ...UNIT_OPTIONS, ...SLOW_LIMITS }),
    ],
  },
}));

/** The worker of `pwa/service-worker`, served at /sw.js, and the manifest. The interface's own code registers it. */
function serviceWorker() {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'service-worker',
    filename: 'sw.ts',
    registerType: 'prompt',
    injectRegister: false,
    manifest: WEB_MANIFEST,
    // The manifest's pictures are not needed without a network.
    includeManifestIcons: false,
    injectManifest: {
      // The document, the code, the fonts and the drawings of the tools. Photographs, videos, the drawings of the landing
      // and of the sign-in, and the administrator's code are loaded when they are needed.
      globPatterns: [
        'index.html',
        '{before-start,old-browser}.js',
        'icons/icon.svg',
        'assets/*.{js,css,svg}',
        'assets/*.woff2',
      ],
      globIgnores: ['assets/{hero,quote,cta,auth,sil2,sil3,sil4,sil5}*.svg', 'assets/administration-*.js'],
      // A larger file breaks the build. By default it would be left out without an error.
      maximumFileSizeToCacheInBytes: 1024 * 1024,
    },
  });
}

/** Throws when the pattern matches no file, so that a moved test does not drop out of its list unnoticed. */
function assertThereAre(pattern: string): string {
  if (globSync(pattern, { cwd: import.meta.dirname }).length === 0) throw new Error(`There is no ${pattern}`);
  return pattern;
}

function testProject(name: string, include: string[], options: UserWorkspaceConfig['test'] = {}) {
  // On CI a failed test runs once more, because a busy machine may be slow once. `npm test` lists such tests. On an idle
  // machine no test takes half of the limit.
  const patience = { retry: process.env.CI ? 1 : 0, testTimeout: 60_000, hookTimeout: 60_000 };
  return { root: import.meta.dirname, test: { name, include, ...patience, ...options } };
}

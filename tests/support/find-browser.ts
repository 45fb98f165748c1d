import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** A headless shell draws no windows and needs three quarters of the CPU time of a whole browser. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const WHOLE_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FOREIGN_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/**
 * Finds the browser for the browser tests, in this order: an installed headless shell, Chromium or Chrome; Playwright's
 * own, which is downloaded if necessary; Debian's package, if we are root. A shell refuses notifications, so tests of
 * notifications ask for a `whole` browser. Returns null for Playwright's own. Throws when there is no browser.
 */
export function findBrowser({ whole = false } = {}): string | null {
  const names = whole ? WHOLE_BROWSERS : [...SHELLS, ...WHOLE_BROWSERS];
  const installed = findInstalled(names);
  if (installed) return installed;
  console.log('No Chromium or Chrome is installed: Playwright looks for its own, or downloads it.');
  const playwright = path.resolve('node_modules/.bin/playwright');
  const wanted = whole ? ['--no-shell', 'chromium'] : ['chromium-headless-shell'];
  if (spawnSync(playwright, ['install', ...wanted], { stdio: 'inherit' }).status === 0) return null;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const name = whole ? 'chromium' : 'chromium-headless-shell';
    console.log(`That failed; installing the package ${name}.`);
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], { stdio: 'inherit' });
    const fromPackage = findInstalled(names);
    if (fromPackage) return fromPackage;
  }
  throw new Error('The browser tests need Chromium or Chrome: install one, or let `npx playwright install` work');
}

function findInstalled(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...places, ...FOREIGN_PLACES].find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

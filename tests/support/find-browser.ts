import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** A headless shell first: it has no windows to manage and needs three quarters of the processor's time. */
const NAMES = [
  ...['chromium-headless-shell', 'chrome-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
];
const FOREIGN_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/**
 * The browser for the browser tests: an installed headless shell, Chromium or Chrome; else the headless shell of Playwright,
 * downloaded when it is not there; else Debian's package, when root. Null means the one of Playwright. Throws when none
 * can be had.
 */
export function findBrowser(): string | null {
  const installed = findInstalled();
  if (installed) return installed;
  console.log('No Chromium or Chrome is installed: Playwright looks for its own, or downloads it.');
  const playwright = path.resolve('node_modules/.bin/playwright');
  const install = spawnSync(playwright, ['install', 'chromium-headless-shell'], { stdio: 'inherit' });
  if (install.status === 0) return null;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('That failed; installing the package chromium-headless-shell.');
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], { stdio: 'inherit' });
    const fromPackage = findInstalled();
    if (fromPackage) return fromPackage;
  }
  throw new Error(
    'The browser tests need Chromium or Chrome: install one, or let `npx playwright install chromium-headless-shell` work',
  );
}

function findInstalled(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
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

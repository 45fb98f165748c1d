import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FOREIGN_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/**
 * The browser for the browser tests: an installed Chromium or Chrome; else Playwright's own, downloaded when it is not
 * there; else Debian's package, when root. Null means Playwright's own. Throws when none can be had.
 */
export function findBrowser(): string | null {
  const installed = findInstalled();
  if (installed) return installed;
  if (existsSync(chromium.executablePath())) return null;
  console.log('No Chromium or Chrome is installed; downloading the one of Playwright.');
  const playwright = path.resolve('node_modules/.bin/playwright');
  if (spawnSync(playwright, ['install', 'chromium'], { stdio: 'inherit' }).status === 0) return null;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('That failed; installing the package chromium.');
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'inherit' });
    const fromPackage = findInstalled();
    if (fromPackage) return fromPackage;
  }
  throw new Error(
    'The browser tests need Chromium or Chrome: install one, or let `npx playwright install chromium` work',
  );
}

function findInstalled(): string | null {
  const places = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
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

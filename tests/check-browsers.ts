// A check of `npm run check`: the built files' JavaScript, packages included, needs nothing that the oldest supported
// browsers lack. The data are MDN's.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';
import { OLDEST_BROWSERS } from '#pwa/browsers.ts';
import { findMissingBuiltIns } from './support/missing-built-ins.ts';

const BUILT = path.resolve(import.meta.dirname, '../dist/pwa');

/** Methods of ours and of packages that are called like one of the web's. */
const OTHERS = ['destroy', 'drop', 'forget', 'hand', 'handle', 'install', 'isActive', 'take', 'use'];
/** Uses that do no harm where the browser lacks the built-in, and the code around them. */
const HARMLESS: Partial<Record<string, RegExp>> = {
  ...Object.fromEntries(OTHERS.map((name) => [name, /./])),
  // zip.js asks for both first.
  'Symbol.asyncDispose': /asyncDispose\|\|Symbol\(\)/,
  dispose: /&&\w+\.dispose&&/,
  // Radix asks for it first.
  checkVisibility: /checkVisibilityCSS/,
  // zod asks for both first.
  'Error.captureStackTrace': /in Error\?/,
  'URL.canParse': /`function`\?URL/,
  // React asks for these first, or catches their absence.
  navigation: /navigation\.(transition|currentEntry|navigate|addEventListener|removeEventListener)/,
  'navigator.connection': /\.connection(&&|\.downlink)/,
  setImmediate: /typeof setImmediate/,
  skipTransition: /!==null&&\(/,
  startViewTransition: /try\{/,
  // Radix sorts a list of its own, which has this method.
  toSorted: /\.some\(\(\[/,
};

prepare({ pwa: true });
const unused = new Set(Object.keys(HARMLESS));
const files = globSync('**/*.js', { cwd: BUILT }).toSorted();
for (const file of files) {
  for (const missing of findMissingBuiltIns(readFileSync(path.join(BUILT, file), 'utf8'))) {
    if (HARMLESS[missing.name]?.test(missing.excerpt)) {
      unused.delete(missing.name);
      continue;
    }
    process.exitCode = 1;
    console.log(`${file}: ${missing.name} is missing in ${missing.browsers.join(', ')}: …${missing.excerpt}…`);
  }
}
for (const name of unused) {
  process.exitCode = 1;
  console.log(`${name} is no longer used: take it out of HARMLESS`);
}
console.log(`${files.length} files of code, judged by ${JSON.stringify(OLDEST_BROWSERS)}`);

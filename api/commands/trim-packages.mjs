// @ts-check
// Runs after every installation, on whatever Node the person has: plain JavaScript that imports nothing but Node's own.
// Removes what no start reads: a quarter of a production folder would be C headers and source maps.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

// The package `node` links its program into its own `bin`. The package it came from, with 67 MB of headers, is not
// needed afterwards.
rmSync(path.join(packages, 'node/node_modules'), { recursive: true, force: true });

// In development Vite reads the source maps and complains about missing ones.
if (!existsSync(path.join(packages, 'vite'))) {
  for (const file of readdirSync(packages, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.map')) rmSync(path.join(packages, file));
  }
}

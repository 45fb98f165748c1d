// `npm run bench`: runs every bench one after the other, each in a separate process.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';

prepare({ pwa: true });
for (const file of globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()) {
  console.log(`\n— ${file}`);
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, file)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

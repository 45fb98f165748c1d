/**
 * `npm run bench`: runs every bench one after the other, each in a separate process, prints their figures as a table and
 * writes docs/speed.md. `npm run bench -- status` runs only those whose names begin so, and writes nothing.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';
import { FIGURES_FILE, type Row } from './figures.ts';
import { type BenchRow, drawFigures, writeSpeed } from './results-table.ts';

const chosen = process.argv.slice(2);
const files = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .sort()
  .filter((file) => chosen.length === 0 || chosen.some((name) => file.startsWith(name)));
if (files.length === 0) throw new Error(`no bench begins with ${chosen.join(' or ')}`);

prepare({ pwa: true });
const folder = mkdtempSync(path.join(tmpdir(), 'podium-bench-'));
const figures = path.join(folder, 'figures.jsonl');
const rows: BenchRow[] = [];
const failed: string[] = [];
const begun = performance.now();
for (const file of files) {
  console.log(`\n— ${file}`);
  writeFileSync(figures, '');
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, file)], {
    stdio: 'inherit',
    // The program gives its processes a cache of what they compile, too.
    env: { ...process.env, [FIGURES_FILE]: figures, NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
  });
  console.log(`  took ${Math.round((performance.now() - start) / 1000)} s`);
  if (status !== 0) failed.push(file);
  const lines = readFileSync(figures, 'utf8').split('\n').filter(Boolean);
  rows.push(...lines.map((line) => ({ bench: path.basename(file, '.bench.ts'), ...(JSON.parse(line) as Row) })));
}
rmSync(folder, { recursive: true });

const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\n${machine}, ${minutes} minutes\n\n${drawFigures(rows)}`);
if (chosen.length === 0) writeSpeed(machine, rows);
for (const file of failed) console.log(`failed: ${file}`);
process.exitCode = failed.length > 0 ? 1 : 0;

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { TableRow } from './fault-report.ts';

/** Runs once before the fault tests. The returned function prints what all of them have seen, one line a fault. */
export default function collectTable(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-fault-table-'));
  const file = path.join(folder, 'rows');
  writeFileSync(file, '');
  project.provide('faultTable', file);
  return () => {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    rmSync(folder, { recursive: true });
    console.log(`\n${layOut(lines.map((line) => JSON.parse(line))).join('\n')}`);
  };
}

/** Columns of equal width. */
function layOut(rows: TableRow[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
}

// The figures of the last whole `npm run bench`, as the table of docs/speed.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Row, round } from './figures.ts';

const DOCUMENT = path.resolve(import.meta.dirname, '../../../docs/speed.md');
const [BEGIN, END] = ['<!-- speed -->', '<!-- /speed -->'];

/** A figure with the name of its bench. */
export type BenchRow = Row & { bench: string };

/** Replaces the table of docs/speed.md. */
export function writeSpeed(machine: string, rows: readonly BenchRow[]): void {
  const [before = '', rest = ''] = readFileSync(DOCUMENT, 'utf8').split(BEGIN);
  const [, after = ''] = rest.split(END);
  writeFileSync(DOCUMENT, [before, BEGIN, `\n${drawSummary(machine, rows)}\n`, END, after].join(''));
}

/** A row for each bench, in Markdown. */
function drawSummary(machine: string, rows: readonly BenchRow[]): string {
  const lines = [...Map.groupBy(rows, ({ bench }) => bench)].map(([bench, figures]) => [
    `\`${bench}\``,
    figures.map(describe).join('; '),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  return [`${today}, ${machine}:`, '', ...drawTable(['bench', 'figures'], lines)].join('\n');
}

/** «status on PostgreSQL: 7.06 of bare Fastify (at most 8)». What is over its budget is bold. */
function describe({ what, unit, figure, floorWhat, ratio, budget, verdict }: Row): string {
  const measured = ratio === null ? `${round(figure)} ${unit}`.trim() : `${round(ratio)} of ${floorWhat}`;
  const text = `${what}: ${measured} (${budget})`;
  return verdict === 'met' ? text : `**${text}**`;
}

/** Every figure beside its floor, in Markdown. */
export function drawFigures(rows: readonly Row[]): string {
  const lines = rows.map(({ what, unit, figure, floor, floorWhat, ratio, spread, budget, verdict }) => [
    what,
    `${round(figure)} ${unit}`,
    floor === null ? '–' : `${round(floor)} (${floorWhat})`,
    ratio === null ? '–' : round(ratio),
    spread.map(round).join('–'),
    budget,
    verdict,
  ]);
  return drawTable(['what', 'figure', 'floor', 'ratio', 'spread', 'budget', 'verdict'], lines).join('\n');
}

function drawTable(head: string[], lines: string[][]): string[] {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

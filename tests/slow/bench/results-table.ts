// The figures of the last whole `npm run bench`, as the table of docs/speed.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Row, round } from './figures.ts';

const FILE = path.join(import.meta.dirname, 'results.json');
const DOCUMENT = path.resolve(import.meta.dirname, '../../../docs/speed.md');
const [BEGIN, END] = ['<!-- speed -->', '<!-- /speed -->'];

export interface Results {
  /** ISO date. */
  measuredOn: string;
  machine: string;
  minutes: number;
  /** Each with the name of its bench. */
  rows: (Row & { bench: string })[];
}

export function writeResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
  const [before, , after] = splitDocument();
  writeFileSync(DOCUMENT, [before, BEGIN, `\n${drawSummary(results)}\n`, END, after].join(''));
}

export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results;
}

/** What docs/speed.md shows of the results. */
export function readSummary(): string {
  return splitDocument()[1].trim();
}

function splitDocument(): [before: string, summary: string, after: string] {
  const [before = '', rest = ''] = readFileSync(DOCUMENT, 'utf8').split(BEGIN);
  const [summary = '', after = ''] = rest.split(END);
  return [before, summary, after];
}

/** A row for each bench, in Markdown. */
export function drawSummary({ measuredOn, machine, rows }: Results): string {
  const lines = [...Map.groupBy(rows, ({ bench }) => bench)].map(([bench, figures]) => [
    `\`${bench}\``,
    figures.map(describe).join('; '),
  ]);
  return [`${measuredOn}, ${machine}:`, '', ...drawTable(['bench', 'figures'], lines)].join('\n');
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

// What every bench shares: rounds of two sides in turn, and the report of a figure beside its floor and its budget.
import { appendFileSync } from 'node:fs';

/** Where `npm run bench` collects the figures of a bench, a JSON line each. A bench that is run alone only prints. */
export const FIGURES_FILE = 'PODIUM_BENCH_FIGURES';
/** A budget that is missed by more fails the bench. */
const TOLERANCE = 0.1;

export interface Figure {
  /** One row of the table, in words. */
  what: string;
  /** Unit of the figure and its floor, such as «ms of CPU». */
  unit: string;
  /** The figure of each round. */
  values: readonly number[];
  /** The same useful work with nothing around it, in the same rounds. The budget is then for figure / floor. */
  floor?: { what: string; values: readonly number[] };
  budget: { atMost: number } | { atLeast: number };
}

export interface Row {
  what: string;
  unit: string;
  figure: number;
  floor: number | null;
  floorWhat: string | null;
  /** Median of the ratios of the rounds. Null without a floor. */
  ratio: number | null;
  /** Lowest and highest round of what the budget is for. */
  spread: [number, number];
  budget: string;
  verdict: 'met' | 'nearly' | 'missed';
}

/** Prints a figure and judges it. A budget missed by over 10 % makes the process fail. */
export function reportFigure(figure: Figure): void {
  const row = judge(figure);
  console.log(describeRow(row));
  const file = process.env[FIGURES_FILE];
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`);
  if (row.verdict === 'missed') process.exitCode = 1;
}

function judge({ what, unit, values, floor, budget }: Figure): Row {
  const ratios = floor && values.map((value, round) => value / (floor.values[round] ?? Number.NaN));
  const judged = ratios ?? values;
  return {
    what,
    unit,
    figure: median(values),
    floor: floor ? median(floor.values) : null,
    floorWhat: floor?.what ?? null,
    ratio: ratios ? median(ratios) : null,
    spread: [Math.min(...judged), Math.max(...judged)],
    budget: 'atMost' in budget ? `at most ${budget.atMost}` : `at least ${budget.atLeast}`,
    verdict: giveVerdict(median(judged), budget),
  };
}

function giveVerdict(value: number, budget: Figure['budget']): Row['verdict'] {
  // What was not measured meets nothing.
  if (!Number.isFinite(value)) return 'missed';
  const isWithin = (slack: number) =>
    'atMost' in budget ? value <= budget.atMost * (1 + slack) : value >= budget.atLeast / (1 + slack);
  if (isWithin(0)) return 'met';
  return isWithin(TOLERANCE) ? 'nearly' : 'missed';
}

function describeRow({ what, unit, figure, floor, floorWhat, ratio, spread, budget, verdict }: Row): string {
  const beside = floor === null ? '' : `, ${floorWhat} ${round(floor)}, ratio ${round(ratio ?? Number.NaN)}`;
  return `${what}: ${round(figure)} ${unit}${beside} (${spread.map(round).join('–')}; budget ${budget}): ${verdict}`;
}

/** Three digits are more than a bench can repeat. */
export function round(value: number): string {
  return Number.isFinite(value)
    ? String(Number(value.toPrecision(value >= 100 ? Math.ceil(Math.log10(value)) : 3)))
    : '–';
}

/**
 * Runs both sides in turn and returns the figure of each round. The side that begins changes, because a processor slows
 * down as it warms up. The first round is a warm-up and is not returned.
 */
export async function alternate(
  rounds: number,
  sides: { figure: () => Promise<number>; floor: () => Promise<number> },
): Promise<{ values: number[]; floorValues: number[] }> {
  const values: number[] = [];
  const floorValues: number[] = [];
  for (let index = 0; index <= rounds; index++) {
    let floor = Number.NaN;
    if (index % 2 === 1) floor = await sides.floor();
    const value = await sides.figure();
    if (index % 2 === 0) floor = await sides.floor();
    if (index === 0) continue;
    values.push(value);
    floorValues.push(floor);
  }
  return { values, floorValues };
}

/** CPU time of this process with all its threads during the work, in milliseconds. */
export async function measureOwnCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (lower + upper) / 2;
}

/** The least of the values that at least this share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Room around the plot for the labels, in pixels. */
const MARGIN = { left: 44, right: 20, top: 20, bottom: 32 };
const GRID_STEPS = 3;
/** Room for a date below the plot, with the space beside it. */
const DATE_PX = 48;
const DAY_MS = 86_400_000;
/** Steps of whole months that divide a year. */
const MONTH_STEPS = [1, 2, 3, 6, 12];

export interface ChartGeometry {
  plot: { left: number; right: number; top: number; bottom: number };
  /** Values of the horizontal lines, from 0 up. */
  ticks: number[];
  /** Days that have a label below. */
  labelled: number[];
  x: (day: number) => number;
  y: (value: number) => number;
  /** The day nearest to a place along the width. */
  dayAt: (x: number) => number;
}

/** Lays out a chart of this size. `dates` are consecutive days as YYYY-MM-DD, at least one. */
export function layOutChart(size: { width: number; height: number }, dates: string[], max: number): ChartGeometry {
  const plot = {
    left: MARGIN.left,
    right: size.width - MARGIN.right,
    top: MARGIN.top,
    bottom: size.height - MARGIN.bottom,
  };
  const step = roundUpStep(max / GRID_STEPS);
  const ticks = Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
  const top = ticks.at(-1) ?? step;
  const last = dates.length - 1;
  const perDay = last > 0 ? (plot.right - plot.left) / last : 0;
  return {
    plot,
    ticks,
    labelled: chooseLabelled(dates, Math.max(2, Math.floor((plot.right - plot.left) / DATE_PX))),
    x: (day) => (last > 0 ? plot.left + day * perDay : (plot.left + plot.right) / 2),
    y: (value) => plot.bottom - (value / top) * (plot.bottom - plot.top),
    dayAt: (x) => (last > 0 ? Math.min(last, Math.max(0, Math.round((x - plot.left) / perDay))) : 0),
  };
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `value`. */
function roundUpStep(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * power >= value) ?? 10) * power;
}

/**
 * As many dates as fit, at steps that are easy to read: each day, Mondays, every second Monday, firsts of months. A
 * period with fewer than two such days gets evenly spaced dates.
 */
function chooseLabelled(dates: string[], room: number): number[] {
  const days = dates.map((date) => new Date(`${date}T00:00:00Z`));
  const indexesOf = (isLabelled: (day: Date, index: number) => boolean) =>
    days.flatMap((day, index) => (isLabelled(day, index) ? [index] : []));
  const round = [
    indexesOf(() => true),
    indexesOf((day) => day.getUTCDay() === 1),
    indexesOf((day) => day.getUTCDay() === 1 && Math.floor(day.getTime() / DAY_MS / 7) % 2 === 0),
    ...MONTH_STEPS.map((step) => indexesOf((day) => day.getUTCDate() === 1 && day.getUTCMonth() % step === 0)),
  ];
  const fitting = round.find(({ length }) => length <= room && length >= Math.min(2, days.length));
  const step = Math.ceil(days.length / room);
  return fitting ?? indexesOf((_, index) => index % step === 0);
}

/** An SVG path through the points. */
export function drawLine(points: [x: number, y: number][]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

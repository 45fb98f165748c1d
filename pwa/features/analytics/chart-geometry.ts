/** Room around the plot for the labels, in pixels. */
const MARGIN = { left: 44, right: 20, top: 20, bottom: 32 };
const GRID_STEPS = 3;
const DATE_LABELS = 5;

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

/** Where the days and values of a chart of this size stand. At least one day. */
export function layOutChart(size: { width: number; height: number }, dayCount: number, max: number): ChartGeometry {
  const plot = {
    left: MARGIN.left,
    right: size.width - MARGIN.right,
    top: MARGIN.top,
    bottom: size.height - MARGIN.bottom,
  };
  const step = roundUpStep(max / GRID_STEPS);
  const ticks = Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
  const top = ticks.at(-1) ?? step;
  const last = dayCount - 1;
  const perDay = last > 0 ? (plot.right - plot.left) / last : 0;
  return {
    plot,
    ticks,
    labelled: chooseLabelled(dayCount),
    x: (day) => (last > 0 ? plot.left + day * perDay : (plot.left + plot.right) / 2),
    y: (value) => plot.bottom - (value / top) * (plot.bottom - plot.top),
    dayAt: (x) => (last > 0 ? Math.min(last, Math.max(0, Math.round((x - plot.left) / perDay))) : 0),
  };
}

/** The next of 1, 2, 5, 10, 20, 50 … that is not smaller. */
function roundUpStep(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * power >= value) ?? 10) * power;
}

function chooseLabelled(dayCount: number): number[] {
  const count = Math.min(DATE_LABELS, dayCount);
  if (count < 2) return [0];
  return Array.from({ length: count }, (_, index) => Math.round((index * (dayCount - 1)) / (count - 1)));
}

/** An SVG path through the points. */
export function drawLine(points: [x: number, y: number][]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

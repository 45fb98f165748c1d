/** A dark bar of a picture: the line through its middle. */
export interface Line {
  x: number;
  y: number;
  /** Angle of the line, from -90 to 90; 0 is horizontal. */
  degrees: number;
  /** Largest distance of the bar's middle from the line, in pixels. */
  bend: number;
}

const LEAST_PIXELS = 30;

/** Finds every connected group of pixels darker than `limit` and lays a line through it. */
export function findLines(luma: Uint8Array, width: number, limit: number): Line[] {
  // `Uint8Array.from` with a function takes many times as long.
  const isDark = new Uint8Array(luma.length);
  for (let pixel = 0; pixel < luma.length; pixel++) if ((luma[pixel] ?? limit) < limit) isDark[pixel] = 1;
  const lines: Line[] = [];
  for (let start = isDark.indexOf(1); start >= 0; start = isDark.indexOf(1, start)) {
    const group = [start];
    isDark[start] = 0;
    for (const pixel of group) {
      const column = pixel % width;
      for (const next of [pixel - width, pixel + width, pixel - 1, pixel + 1]) {
        if (isDark[next] !== 1 || Math.abs((next % width) - column) > 1) continue;
        isDark[next] = 0;
        group.push(next);
      }
    }
    if (group.length < LEAST_PIXELS) continue;
    lines.push(
      fitLine(
        group.map((pixel) => ({
          x: pixel % width,
          y: Math.floor(pixel / width),
          weight: limit - (luma[pixel] ?? limit),
        })),
      ),
    );
  }
  return lines;
}

interface Point {
  x: number;
  y: number;
  weight: number;
}

/** Fits a line by total least squares, and measures how far the middle of the points bends away from it. */
export function fitLine(points: readonly Point[]): Line {
  const total = sum(points, ({ weight }) => weight);
  const x = sum(points, (point) => point.x * point.weight) / total;
  const y = sum(points, (point) => point.y * point.weight) / total;
  const xx = sum(points, (point) => (point.x - x) ** 2 * point.weight);
  const yy = sum(points, (point) => (point.y - y) ** 2 * point.weight);
  const xy = sum(points, (point) => (point.x - x) * (point.y - y) * point.weight);
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [alongX, alongY] = [Math.cos(angle), Math.sin(angle)];
  const placed = points.map((point) => ({
    along: (point.x - x) * alongX + (point.y - y) * alongY,
    off: (point.y - y) * alongX - (point.x - x) * alongY,
    weight: point.weight,
  }));
  const [from, to] = [Math.min(...placed.map(({ along }) => along)), Math.max(...placed.map(({ along }) => along))];
  // The ends are left out, because the bar's corners shift the middle there.
  const PARTS = 10;
  const parts = Array.from({ length: PARTS }, (_, i) =>
    placed.filter(({ along }) => Math.floor(((along - from) / (to - from)) * PARTS) === i),
  ).slice(1, -1);
  const middles = parts
    .filter((part) => part.length > 0)
    .map((part) => sum(part, ({ off, weight }) => off * weight) / sum(part, ({ weight }) => weight));
  return { x, y, degrees: (angle * 180) / Math.PI, bend: Math.max(...middles.map(Math.abs)) };
}

/** Degrees between two lines, whichever way they point. */
export function angleBetween(a: Line, b: Line): number {
  const apart = Math.abs(a.degrees - b.degrees) % 180;
  return Math.min(apart, 180 - apart);
}

/** Orders the lines of another picture like `lines`. The other picture may be shifted and scaled. */
export function matchLines(lines: readonly Line[], others: readonly Line[]): Line[] {
  const [places, otherPlaces] = [normalise(lines), normalise(others)];
  return places.map((place) => {
    const distances = otherPlaces.map((other) => Math.hypot(other.x - place.x, other.y - place.y));
    return others[distances.indexOf(Math.min(...distances))] as Line;
  });
}

function normalise(lines: readonly Line[]): { x: number; y: number }[] {
  const [x, y] = [sum(lines, (line) => line.x) / lines.length, sum(lines, (line) => line.y) / lines.length];
  const spread = Math.sqrt(sum(lines, (line) => (line.x - x) ** 2 + (line.y - y) ** 2));
  return lines.map((line) => ({ x: (line.x - x) / spread, y: (line.y - y) / spread }));
}

function sum<T>(items: readonly T[], weigh: (item: T) => number): number {
  return items.reduce((total, item) => total + weigh(item), 0);
}

import type { Labels, Measurement, Spread } from './instruments.ts';

/** Prometheus' text format, version 0.0.4. */
export function formatPrometheus(measurements: readonly Measurement[]): string {
  return measurements
    .map((one) => `# HELP ${one.name} ${one.help}\n# TYPE ${one.name} ${one.type}\n${formatSeries(one)}`)
    .join('');
}

function formatSeries(one: Measurement): string {
  if (one.type !== 'histogram') return one.samples.map(([labels, value]) => line(one.name, labels, value)).join('');
  return one.spreads.map((spread) => formatSpread(one.name, one.bounds, spread)).join('');
}

function formatSpread(name: string, bounds: readonly number[], { labels, sum, count, buckets }: Spread): string {
  let below = 0;
  const lines = bounds.map((bound, index) => {
    below += buckets[index] ?? 0;
    return line(`${name}_bucket`, { ...labels, le: `${bound}` }, below);
  });
  lines.push(line(`${name}_bucket`, { ...labels, le: '+Inf' }, count));
  return `${lines.join('')}${line(`${name}_sum`, labels, sum)}${line(`${name}_count`, labels, count)}`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gauge } from '#api/telemetry/instruments.ts';
import { createMetrics } from '#api/telemetry/metrics.ts';
import { parseMetrics } from '#tests/support/read-metrics.ts';

function createQuietly() {
  const lines: string[] = [];
  return { lines, metrics: createMetrics(pino({}, { write: (line) => void lines.push(line) })) };
}

/** The clock stands still until a test moves it. */
function freezeClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a histogram counts a value in its bucket and in all larger ones', async () => {
  const { metrics } = createQuietly();
  const labels = { route: '/api/user', method: 'GET', status: '2xx' };
  for (const seconds of [0.004, 0.01, 0.02, 99]) metrics.requestSeconds.observe(labels, seconds);
  metrics.requestSeconds.observe({ ...labels, status: '4xx' }, 0.2);
  const read = parseMetrics(await metrics.describe());
  const below = (le: string) => read.sum('podium_http_request_seconds_bucket', { ...labels, le });
  expect(['0.005', '0.01', '0.025', '30', '+Inf'].map(below)).toEqual([1, 2, 3, 3, 4]);
  expect(read.sum('podium_http_request_seconds_count', labels)).toBe(4);
  expect(read.sum('podium_http_request_seconds_sum', labels)).toBeCloseTo(99.034);
});

test('a label with quotes, backslashes and line breaks stays one line', async () => {
  const { metrics } = createQuietly();
  metrics.mails.add({ result: 'a"b\\c\nd' });
  expect(await metrics.describe()).toContain('podium_mails_total{result="a\\"b\\\\c\\nd"} 1\n');
});

test('a part that fails is missing, the others are there, and the log says so once a minute', async () => {
  freezeClock();
  const { metrics, lines } = createQuietly();
  metrics.watch('broken', async () => {
    throw new Error('no database');
  });
  metrics.watch('whole', () => [gauge('podium_whole', 'Whole', [[{}, 7]])]);
  for (let second = 0; second < 120; second++) {
    const read = parseMetrics(await metrics.describe());
    expect(read.sum('podium_whole')).toBe(7);
    expect(read.sum('podium_figures_failed', { part: 'broken' })).toBe(1);
    expect(read.sum('podium_figures_failed', { part: 'whole' })).toBe(0);
    vi.advanceTimersByTime(1000);
  }
  expect(lines.length).toBe(2);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ part: 'broken', msg: 'figures cannot be read' });
});

test('a part that hangs is given up after two seconds', async () => {
  freezeClock();
  const { metrics } = createQuietly();
  metrics.watch('hanging', () => new Promise(() => {}));
  const described = metrics.describe();
  await vi.advanceTimersByTimeAsync(2000);
  expect(parseMetrics(await described).sum('podium_figures_failed', { part: 'hanging' })).toBe(1);
});

test('many questions at a time read the figures once', async () => {
  freezeClock();
  const { metrics } = createQuietly();
  const read = vi.fn(async () => [gauge('podium_whole', 'Whole', [[{}, 1]])]);
  metrics.watch('whole', read);
  await Promise.all([metrics.describe(), metrics.describe(), metrics.describe()]);
  expect(read).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5001);
  await metrics.describe();
  expect(read).toHaveBeenCalledTimes(2);
});

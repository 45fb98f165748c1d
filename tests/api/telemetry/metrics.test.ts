import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addRequestMetrics } from '#api/plugins/request-metrics.ts';
import { createMetrics } from '#api/telemetry/metrics.ts';
import { watchProcess } from '#api/telemetry/process-figures.ts';
import { parseMetrics } from '#tests/support/read-metrics.ts';

const HOUR_MS = 3_600_000;

function createQuietly() {
  const lines: string[] = [];
  return { lines, metrics: createMetrics(pino({}, { write: (line) => void lines.push(line) })) };
}

test('a histogram counts a value in its bucket and in all larger ones', async () => {
  const { metrics } = createQuietly();
  const labels = { route: '/api/user', method: 'GET', status: '2xx' };
  for (const seconds of [0.004, 0.01, 0.02, 99]) metrics.requestSeconds.record(seconds, labels);
  metrics.requestSeconds.record(0.2, { ...labels, status: '4xx' });
  const read = parseMetrics(await metrics.describe());
  const below = (le: string) => read.sum('podium_http_request_seconds_bucket', { ...labels, le });
  expect(['0.005', '0.01', '0.025', '30', '+Inf'].map(below)).toEqual([1, 2, 3, 3, 4]);
  expect(read.sum('podium_http_request_seconds_count', labels)).toBe(4);
  expect(read.sum('podium_http_request_seconds_sum', labels)).toBeCloseTo(99.034);
});

test('a label is one line whatever its text, and no label speaks of the SDK', async () => {
  const { metrics } = createQuietly();
  metrics.mails.add(1, { result: 'a"b\\c\nd' });
  const text = await metrics.describe();
  expect(text).toContain('podium_mails_total{result="a\\"b\\\\c\\nd"} 1\n');
  expect(text).not.toMatch(/otel|target_info/);
});

test('a part that fails is missing until it can be read again, the others are there, and the log says so once', async () => {
  const { metrics, lines } = createQuietly();
  const [shaky, whole] = ['podium_shaky', 'podium_whole'].map((name) => metrics.meter.createObservableGauge(name));
  if (!shaky || !whole) throw new Error('no gauges');
  let isBroken = false;
  metrics.watch('shaky', [shaky], async (result) => {
    if (isBroken) throw new Error('no database');
    result.observe(shaky, 3);
  });
  metrics.watch('whole', [whole], (result) => result.observe(whole, 7));
  const seen = [];
  for (isBroken of [false, true, true, false]) {
    const { names, sum } = parseMetrics(await metrics.describe());
    expect([sum('podium_whole'), sum('podium_figures_failed', { part: 'whole' })]).toEqual([7, 0]);
    seen.push([names.has('podium_shaky'), sum('podium_figures_failed', { part: 'shaky' })]);
  }
  expect(seen).toEqual([
    [true, 0],
    [false, 1],
    [false, 1],
    [true, 0],
  ]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ part: 'shaky', msg: 'figures cannot be read' }]);
});

test('a part that hangs is given up after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { metrics } = createQuietly();
  metrics.watch('hanging', [], () => new Promise(() => {}));
  const described = metrics.describe();
  await vi.advanceTimersByTimeAsync(2000);
  expect(parseMetrics(await described).sum('podium_figures_failed', { part: 'hanging' })).toBe(1);
});

test('many questions at a time read the figures once and get the same answer', async () => {
  const { metrics } = createQuietly();
  const whole = metrics.meter.createObservableGauge('podium_whole');
  let reads = 0;
  metrics.watch('whole', [whole], async (result) => result.observe(whole, ++reads));
  const ask = async () => parseMetrics(await metrics.describe()).sum('podium_whole');
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});

test('what alerts count begins at 0, so that its first event is a growth', async () => {
  const { metrics } = createQuietly();
  const text = await metrics.describe();
  expect(text).toContain('podium_http_answers_total{status="5xx"} 0\n');
  expect(text).toContain('podium_mails_total{result="failed"} 0\n');
  expect(text).toContain('podium_pushes_total{result="refused"} 0\n');
});

test('an answer is timed until it begins, however long its body takes', async () => {
  const { metrics } = createQuietly();
  const server = fastify();
  addRequestMetrics(server, { metrics });
  const body = new PassThrough();
  server.get('/video', (_request, reply) => reply.send(body));
  onTestFinished(() => server.close());
  const address = await server.listen();
  body.write('first');
  const response = await fetch(`${address}/video`);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + HOUR_MS);
  onTestFinished(() => clock.mockRestore());
  body.end('last');
  expect(await response.text()).toBe('firstlast');
  const labels = { route: '/video', method: 'GET', status: '2xx' };
  await vi.waitFor(async () => {
    const read = parseMetrics(await metrics.describe());
    expect(read.sum('podium_http_request_seconds_count', labels)).toBe(1);
    expect(read.sum('podium_http_request_seconds_sum', labels)).toBeLessThan(HOUR_MS / 1000);
  }, 60_000);
});

test('two readers both see that the event loop stood still', async () => {
  const { metrics } = createQuietly();
  const stop = watchProcess(metrics);
  onTestFinished(stop);
  const startedAt = performance.now();
  let skippedMs = 0;
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const read = async () => {
    skippedMs += 6000;
    clock.mockReturnValue(startedAt + skippedMs);
    return parseMetrics(await metrics.describe()).sum('podium_event_loop_delay_p99_seconds');
  };
  await wait(50);
  const until = process.hrtime.bigint() + 400_000_000n;
  while (process.hrtime.bigint() < until);
  await wait(50);
  const seen = [await read(), await read(), await read(), await read()];
  expect(Math.min(...seen)).toBeGreaterThan(0.3);
});

test.runIf(process.platform === 'linux')(
  'the memory of the processes that work for this one is told apart',
  async () => {
    const { metrics } = createQuietly();
    onTestFinished(watchProcess(metrics));
    // A process in a process, as an FFmpeg is.
    const inner = 'setInterval(() => {}, 1e6); console.log(1)';
    const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
    const child = spawn(process.execPath, ['-e', outer], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void (child.pid && process.kill(-child.pid, 'SIGKILL')));
    await once(child.stdout, 'data');
    const read = parseMetrics(await metrics.describe());
    // Two processes of Node.
    expect(read.sum('podium_memory_bytes', { kind: 'work' })).toBeGreaterThan(50_000_000);
  },
);

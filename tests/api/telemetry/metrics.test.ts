import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addRequestMetrics } from '#api/plugins/request-metrics.ts';
import { gauge } from '#api/telemetry/instruments.ts';
import { createMetrics } from '#api/telemetry/metrics.ts';
import { watchProcess } from '#api/telemetry/process-figures.ts';
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
  const askedAt = performance.now();
  body.write('first');
  const response = await fetch(`${address}/video`);
  const begunMs = performance.now() - askedAt;
  await wait(begunMs + 100);
  body.end('last');
  expect(await response.text()).toBe('firstlast');
  const labels = { route: '/video', method: 'GET', status: '2xx' };
  await vi.waitFor(async () => {
    const read = parseMetrics(await metrics.describe());
    expect(read.sum('podium_http_request_seconds_count', labels)).toBe(1);
    expect(read.sum('podium_http_request_seconds_sum', labels)).toBeLessThanOrEqual(begunMs / 1000);
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
    // Longer than figures are kept.
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

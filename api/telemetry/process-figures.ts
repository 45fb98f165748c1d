import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;
const BYTES_PER_KILOBYTE = 1024;
/** The time between two questions of Prometheus. */
const LOOP_WINDOW_MS = 15_000;

/** Watches memory, processor and event loop of the process. Returns what ends it. */
export function watchProcess({ meter, watch }: Metrics): () => Promise<void> {
  const loopDelay = watchLoopDelay();
  const uptime = meter.createObservableGauge('podium_uptime_seconds', { description: 'Time since the start' });
  const memory = meter.createObservableGauge('podium_memory_bytes', {
    description: 'Memory of the process, and of those that work for it',
  });
  const processor = meter.createObservableCounter('podium_cpu_seconds_total', {
    description: 'Time that the processor has worked for the process',
  });
  const delay = meter.createObservableGauge('podium_event_loop_delay_p99_seconds', {
    description: 'Delay of the event loop in the last half of a minute',
  });
  watch('process', [uptime, memory, processor, delay], async (result) => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const workBytes = await measureChildren(process.pid);
    result.observe(uptime, process.uptime());
    result.observe(memory, rss, { kind: 'resident' });
    result.observe(memory, heapUsed, { kind: 'heap' });
    if (workBytes !== null) result.observe(memory, workBytes, { kind: 'work' });
    result.observe(processor, (user + system) / MICROSECONDS_PER_SECOND);
    result.observe(delay, loopDelay.readP99Seconds());
  });
  return async () => loopDelay.stop();
}

/**
 * Delays of this window and of the one before. A reader does not end the window of another one, so two of them see the
 * same peaks; and a delay of yesterday says nothing about now.
 */
function watchLoopDelay() {
  const current = monitorEventLoopDelay({ resolution: 10 });
  current.enable();
  let beganAt = performance.now();
  let before = 0;
  return {
    readP99Seconds(): number {
      const p99 = current.percentile(99);
      const highest = Math.max(before, p99);
      if (performance.now() - beganAt >= LOOP_WINDOW_MS) {
        before = p99;
        beganAt = performance.now();
        current.reset();
      }
      return highest / NANOSECONDS_PER_SECOND;
    },
    stop: () => void current.disable(),
  };
}

/** Resident memory of the processes that this one has started, and of theirs. Null where /proc does not tell. */
async function measureChildren(pid: number): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => null);
  if (children === null) return null;
  const sizes = children.trim().split(' ').filter(Boolean).map(Number).map(measureTree);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

/** 0 for a process that has just ended. */
async function measureTree(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  return kilobytes * BYTES_PER_KILOBYTE + ((await measureChildren(pid)) ?? 0);
}

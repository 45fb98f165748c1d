import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge } from './instruments.ts';
import type { Metrics } from './metrics.ts';

const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;

/** Watches memory, processor and event loop of the process. Returns what ends it. */
export function watchProcess(metrics: Metrics): () => Promise<void> {
  const loopDelay = monitorEventLoopDelay({ resolution: 10 });
  loopDelay.enable();
  metrics.watch('process', () => {
    const { user, system } = process.cpuUsage();
    const delaySeconds = loopDelay.percentile(99) / NANOSECONDS_PER_SECOND;
    // A delay of yesterday says nothing about now.
    loopDelay.reset();
    return [
      gauge('podium_uptime_seconds', 'Time since the start', [[{}, process.uptime()]]),
      gauge('podium_memory_bytes', 'Memory of the process', [
        [{ kind: 'resident' }, process.memoryUsage.rss()],
        [{ kind: 'heap' }, process.memoryUsage().heapUsed],
      ]),
      {
        name: 'podium_cpu_seconds_total',
        help: 'Time that the processor has worked for the process',
        type: 'counter',
        samples: [[{}, (user + system) / MICROSECONDS_PER_SECOND]],
      },
      gauge('podium_event_loop_delay_p99_seconds', 'Delay of the event loop since the figures were last read', [
        [{}, delaySeconds],
      ]),
    ];
  });
  return async () => void loopDelay.disable();
}

/** Space that is left on the disk of a folder, in bytes, for a user without privileges. */
export async function findFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

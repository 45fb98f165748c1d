import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';

type Sample = readonly [labels: Record<string, string>, value: number];

const NANOSECONDS_PER_SECOND = 1e9;

/** Counts answers and watches the event loop until the server closes. */
export function watchProcess(server: FastifyInstance): { describe(): string } {
  const answers = new Map<string, number>();
  server.addHook('onResponse', async (_request, reply) => {
    const statusClass = `${Math.floor(reply.statusCode / 100)}xx`;
    answers.set(statusClass, (answers.get(statusClass) ?? 0) + 1);
  });
  const loopDelay = monitorEventLoopDelay({ resolution: 10 });
  loopDelay.enable();
  server.addHook('onClose', async () => void loopDelay.disable());

  return {
    describe: () =>
      [
        formatMetric('podium_uptime_seconds', 'gauge', 'Time since the start', [[{}, process.uptime()]]),
        formatMetric('podium_memory_bytes', 'gauge', 'Memory of the process', [
          [{ kind: 'resident' }, process.memoryUsage.rss()],
          [{ kind: 'heap' }, process.memoryUsage().heapUsed],
        ]),
        formatMetric('podium_event_loop_delay_p99_seconds', 'gauge', 'Delay of the event loop since the start', [
          [{}, loopDelay.percentile(99) / NANOSECONDS_PER_SECOND],
        ]),
        formatMetric(
          'podium_http_answers_total',
          'counter',
          'Answers by class of status',
          [...answers].map(([status, count]) => [{ status }, count]),
        ),
      ].join(''),
  };
}

/** One metric in Prometheus' text format. */
export function formatMetric(name: string, type: 'gauge' | 'counter', help: string, samples: Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text}"`);
    return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

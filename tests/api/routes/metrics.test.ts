import { expect, test } from 'vitest';
import { createServer } from '#api/server.ts';
import { readMetrics, readMetricsOnce } from '#tests/support/read-metrics.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerAndConfirm, registerVerified } from '#tests/support/users.ts';

const harness = useToolHarness();
const read = () => readMetrics(harness.testApp.server);

test('requests are timed by the pattern of their route, and paths that nothing serves are one series', async () => {
  const before = await read();
  const user = await registerVerified(harness.testApp);
  const ask = (url: string) => harness.call(user, { url });
  await ask('/api/stars/balance');
  await ask(`/api/generations/${crypto.randomUUID()}`);
  await ask(`/api/generations/${crypto.randomUUID()}`);
  await ask('/api/no-such-address');
  const after = await read();
  const grown = (labels: Record<string, string>) =>
    after.sum('podium_http_request_seconds_count', labels) - before.sum('podium_http_request_seconds_count', labels);
  expect(grown({ route: '/api/stars/balance', method: 'GET', status: '2xx' })).toBe(1);
  expect(grown({ route: '/api/generations/:id', method: 'GET', status: '4xx' })).toBe(2);
  expect(grown({ route: '/api/*', method: 'GET', status: '4xx' })).toBe(1);
  expect(after.sum('podium_http_answers_total', { status: '4xx' })).toBeGreaterThanOrEqual(
    before.sum('podium_http_answers_total', { status: '4xx' }) + 3,
  );
});

test('a generation holds its stars while it runs, and is counted by engine, kind and outcome when it ends', async () => {
  const before = await read();
  const user = await harness.readyUser();
  const { generationId } = (await harness.start(user, user.imageId)).json();
  await harness.waitForStatus(user, generationId, 'generating');
  const running = await read();
  expect(running.sum('podium_generations', { status: 'generating' })).toBe(1);
  const { stars } = await harness.testApp.app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  expect(running.sum('podium_stars_held')).toBe(stars);

  const failure = { code: 'content_refused', detail: 'no', shouldRetry: false } as const;
  harness.testApp.engine.behave({ say: 'failed', failure });
  await harness.waitForStatus(user, generationId, 'failed');
  await harness.finishVideo(user);
  const after = await read();
  const ended = (outcome: string) => {
    const labels = { engine: 'fake', kind: 'video', outcome };
    return after.sum('podium_generation_seconds_count', labels) - before.sum('podium_generation_seconds_count', labels);
  };
  expect([ended('completed'), ended('content_refused'), ended('engine_error')]).toEqual([1, 1, 0]);
  expect(after.sum('podium_generation_seconds_sum')).toBeGreaterThan(0);
  expect(after.sum('podium_stars_held')).toBe(0);
});

test('the queue tells how many jobs are due and for how long, and that a worker is alive', async () => {
  const { db } = harness.testApp.app;
  const due = { count: 3, seconds: 600 };
  for (let index = 0; index < due.count; index++) {
    await db.$executeRaw`
      insert into pgboss.job (name, data, start_after) values ('tell-telegram-linked', '{}', now() - interval '10 min')`;
  }
  await db.$executeRaw`
    insert into pgboss.job (name, data, start_after) values ('tell-telegram-linked', '{}', now() + interval '1 hour')`;
  const { sum } = await read();
  await db.$executeRaw`delete from pgboss.job where name = 'tell-telegram-linked'`;
  expect(sum('podium_queue_waiting', { queue: 'tell-telegram-linked' })).toBe(due.count);
  const oldest = sum('podium_queue_oldest_seconds', { queue: 'tell-telegram-linked' });
  expect(oldest).toBeGreaterThanOrEqual(due.seconds);
  expect(oldest).toBeLessThan(due.seconds + 60);
  expect(sum('podium_queue_waiting', { queue: 'clean-up' })).toBe(0);
  expect((await read()).names).toContain('podium_worker_seen_seconds');
  expect(sum('podium_worker_seen_seconds')).toBeLessThan(60);
});

test('mails are counted by result', async () => {
  const before = await read();
  await registerAndConfirm(harness.testApp);
  const after = await read();
  expect(after.sum('podium_mails_total', { result: 'sent' })).toBeGreaterThan(
    before.sum('podium_mails_total', { result: 'sent' }),
  );
});

test('the process, its pool and its disk are described', async () => {
  const { sum } = await read();
  expect(sum('podium_memory_bytes', { kind: 'resident' })).toBeGreaterThan(10_000_000);
  expect(sum('podium_cpu_seconds_total')).toBeGreaterThan(0);
  expect(sum('podium_disk_free_bytes')).toBeGreaterThan(0);
  expect(sum('podium_storage_free_bytes')).toBeGreaterThan(0);
  expect(sum('podium_database_connections_max')).toBeGreaterThan(0);
  expect(sum('podium_figures_failed')).toBe(0);
});

test('without a database the figures of the process are still there', async () => {
  const { app } = harness.testApp;
  const { createMetrics } = await import('#api/telemetry/metrics.ts');
  const { watchProcess } = await import('#api/telemetry/process-figures.ts');
  const { watchService } = await import('#api/telemetry/service-figures.ts');
  const metrics = createMetrics(app.log);
  const stopWatching = watchProcess(metrics);
  const gone = async () => {
    throw new Error('the database is gone');
  };
  watchService(metrics, {
    database: { ...harness.testApp.database, db: { generation: { groupBy: gone } } as unknown as typeof app.db },
    queue: { ...app.queue, measure: gone },
    storage: app.storage,
    dataDir: app.config.dataDir,
  });
  const server = await createServer({ ...app, metrics });
  const read = await readMetricsOnce(server);
  await server.close();
  await stopWatching();
  expect(read.sum('podium_uptime_seconds')).toBeGreaterThan(0);
  expect(read.sum('podium_figures_failed', { part: 'queue' })).toBe(1);
  expect(read.sum('podium_figures_failed', { part: 'generations' })).toBe(1);
  expect(read.names).not.toContain('podium_stars_held');
});

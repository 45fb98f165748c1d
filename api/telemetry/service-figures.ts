import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import type { DatabaseHandle } from '#api/database/database.ts';
import type { Queue } from '#api/queue/queue.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import type { Metrics } from './metrics.ts';

interface ServiceParts {
  database: DatabaseHandle;
  queue: Queue;
  storage: Pick<ObjectStorage, 'findFreeBytes'>;
  dataDir: string;
}

/** Adds what database, queue and disk tell of the whole service. Every process shows the same figures of them. */
export function watchService(metrics: Metrics, { database, queue, storage, dataDir }: ServiceParts): void {
  watchPool(metrics, database);
  watchGenerations(metrics, database);
  watchQueue(metrics, queue);
  const { meter, watch } = metrics;
  const diskFree = meter.createObservableGauge('podium_disk_free_bytes', {
    description: 'Space that is left on the disk of DATA_DIR',
  });
  watch('disk', [diskFree], async (result) => result.observe(diskFree, await findFreeBytes(dataDir)));
  const storageFree = meter.createObservableGauge('podium_storage_free_bytes', {
    description: 'Space that is left for photos and results',
  });
  watch('storage', [storageFree], async (result) => {
    // S3 has no limit that it could tell.
    const bytes = await storage.findFreeBytes();
    if (bytes !== null) result.observe(storageFree, bytes);
  });
}

function watchPool({ meter, watch }: Metrics, { pool, isEmbedded }: DatabaseHandle): void {
  const connections = meter.createObservableGauge('podium_database_connections', {
    description: 'Connections of the pool of this process',
  });
  const connectionsMax = meter.createObservableGauge('podium_database_connections_max', {
    description: 'Largest number of connections of the pool',
  });
  const waiting = meter.createObservableGauge('podium_database_waiting', {
    description: 'Statements that wait for a connection',
  });
  watch('database_pool', [connections, connectionsMax, waiting], (result) => {
    result.observe(connections, pool.totalCount - pool.idleCount, { state: 'in_use' });
    result.observe(connections, pool.idleCount, { state: 'idle' });
    result.observe(connectionsMax, isEmbedded ? 1 : pool.options.max);
    result.observe(waiting, pool.waitingCount);
  });
}

/** Reads only generations that have not ended, which have an index of their own. */
function watchGenerations({ meter, watch }: Metrics, { db }: DatabaseHandle): void {
  const generations = meter.createObservableGauge('podium_generations', {
    description: 'Generations that have not ended',
  });
  const held = meter.createObservableGauge('podium_stars_held', { description: 'Stars that are held for them' });
  watch('generations', [generations, held], async (result) => {
    const rows = await db.generation.groupBy({
      by: ['status'],
      where: { status: { in: [...ACTIVE_STATUSES] } },
      _count: true,
      _sum: { stars: true },
    });
    for (const status of ACTIVE_STATUSES) {
      result.observe(generations, rows.find((row) => row.status === status)?._count ?? 0, { status });
    }
    result.observe(
      held,
      rows.reduce((sum, { _sum }) => sum + (_sum.stars ?? 0), 0),
    );
  });
}

/** The label is `queue`, because `job` and `instance` are Prometheus' own, which renames ours when they collide. */
function watchQueue({ meter, watch }: Metrics, queue: Queue): void {
  const due = meter.createObservableGauge('podium_queue_waiting', {
    description: 'Jobs that are due and have not begun',
  });
  const oldest = meter.createObservableGauge('podium_queue_oldest_seconds', {
    description: 'How long the oldest of them has been due',
  });
  const workerSeen = meter.createObservableGauge('podium_worker_seen_seconds', {
    description: 'How long ago a worker showed that it is alive',
  });
  watch('queue', [due, oldest, workerSeen], async (result) => {
    const { waiting, workerSeenSecondsAgo } = await queue.measure();
    for (const { job, count, oldestSeconds } of waiting) {
      result.observe(due, count, { queue: job });
      result.observe(oldest, oldestSeconds, { queue: job });
    }
    if (workerSeenSecondsAgo !== null) result.observe(workerSeen, workerSeenSecondsAgo);
  });
}

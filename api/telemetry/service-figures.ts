import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import type { DatabaseHandle } from '#api/db.ts';
import type { Queue } from '#api/queue.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { gauge, type Measurement, type Sample } from './instruments.ts';
import type { Metrics } from './metrics.ts';

interface ServiceParts {
  database: DatabaseHandle;
  queue: Queue;
  storage: Pick<ObjectStorage, 'findFreeBytes'>;
  dataDir: string;
}

/** Adds what database, queue and disk tell of the whole service. Every process shows the same figures of them. */
export function watchService(metrics: Metrics, { database, queue, storage, dataDir }: ServiceParts): void {
  metrics.watch('database_pool', () => describePool(database));
  metrics.watch('generations', () => describeGenerations(database));
  metrics.watch('queue', () => describeQueue(queue));
  metrics.watch('disk', async () => [
    gauge('podium_disk_free_bytes', 'Space that is left on the disk of DATA_DIR', [[{}, await findFreeBytes(dataDir)]]),
  ]);
  metrics.watch('storage', async () => {
    // S3 has no limit that it could tell.
    const bytes = await storage.findFreeBytes();
    const samples: Sample[] = bytes === null ? [] : [[{}, bytes]];
    return [gauge('podium_storage_free_bytes', 'Space that is left for photos and results', samples)];
  });
}

function describePool({ pool, isEmbedded }: DatabaseHandle): Measurement[] {
  return [
    gauge('podium_database_connections', 'Connections of the pool of this process', [
      [{ state: 'in_use' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
    ]),
    gauge('podium_database_connections_max', 'Largest number of connections of the pool', [
      [{}, isEmbedded ? 1 : pool.options.max],
    ]),
    gauge('podium_database_waiting', 'Statements that wait for a connection', [[{}, pool.waitingCount]]),
  ];
}

/** Reads only generations that have not ended, which have an index of their own. */
async function describeGenerations({ db }: DatabaseHandle): Promise<Measurement[]> {
  const rows = await db.generation.groupBy({
    by: ['status'],
    where: { status: { in: [...ACTIVE_STATUSES] } },
    _count: true,
    _sum: { stars: true },
  });
  const held = rows.reduce((sum, { _sum }) => sum + (_sum.stars ?? 0), 0);
  return [
    gauge(
      'podium_generations',
      'Generations that have not ended',
      ACTIVE_STATUSES.map((status) => [{ status }, rows.find((row) => row.status === status)?._count ?? 0]),
    ),
    gauge('podium_stars_held', 'Stars that are held for them', [[{}, held]]),
  ];
}

/** The label is `queue`, because `job` and `instance` are Prometheus' own, which renames ours when they collide. */
async function describeQueue(queue: Queue): Promise<Measurement[]> {
  const { waiting, workerSeenSecondsAgo } = await queue.measure();
  return [
    gauge(
      'podium_queue_waiting',
      'Jobs that are due and have not begun',
      waiting.map(({ job, count }) => [{ queue: job }, count]),
    ),
    gauge(
      'podium_queue_oldest_seconds',
      'How long the oldest of them has been due',
      waiting.map(({ job, oldestSeconds }) => [{ queue: job }, oldestSeconds]),
    ),
    gauge(
      'podium_worker_seen_seconds',
      'How long ago a worker showed that it is alive',
      workerSeenSecondsAgo === null ? [] : [[{}, workerSeenSecondsAgo]],
    ),
  ];
}

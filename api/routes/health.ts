import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/errors.ts';
import { isFromPrivateNetwork } from '#api/plugins/caller-address.ts';
import { formatMetric, watchProcess } from '#api/plugins/process-metrics.ts';
import { toRateLimit } from '#api/plugins/rate-limit.ts';
import type { AppContext } from '#api/services/app-context.ts';

const CHECK_TIMEOUT_MS = 3000;

/** Requests within this time get the same answer, so that many of them put no load on the database. */
const READINESS_KEPT_MS = 2000;

interface Readiness {
  isReady: boolean;
  parts: Record<string, 'ok' | 'failed'>;
}

/** For monitoring: liveness, readiness and metrics. Not part of the contract. */
export function addHealthRoutes(server: FastifyInstance, app: AppContext): void {
  const schema = { hide: true };
  const limited = { schema, config: { rateLimit: toRateLimit() } };
  server.get('/healthz', { schema }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return { status: 'ok' };
  });

  let checkedAt = Number.NEGATIVE_INFINITY;
  let readiness: Promise<Readiness>;
  server.get('/readyz', limited, async (_request, reply) => {
    if (performance.now() - checkedAt > READINESS_KEPT_MS) {
      checkedAt = performance.now();
      readiness = checkReadiness(app);
    }
    const { isReady, parts } = await readiness;
    reply.code(isReady ? 200 : 503).header('Cache-Control', 'no-store');
    return { status: isReady ? 'ready' : 'not_ready', parts };
  });

  const watched = watchProcess(server);
  server.get('/metrics', limited, async (request, reply) => {
    // Business figures are only for the operator's own network.
    if (!isFromPrivateNetwork(request)) throw new AppError('route_not_found');
    const byStatus = await app.db.generation.groupBy({ by: ['status'], _count: true });
    const generations = formatMetric(
      'podium_generations',
      'gauge',
      'Generations by status',
      byStatus.map(({ status, _count }) => [{ status }, _count]),
    );
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(watched.describe() + generations);
  });
}

async function checkReadiness(app: AppContext): Promise<Readiness> {
  const checks = { database: () => app.db.$queryRaw`select 1`, queue: app.queue.check, storage: app.storage.check };
  const parts: Readiness['parts'] = {};
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      parts[name] = 'ok';
      try {
        await withTimeout(check());
      } catch (error) {
        app.log.error({ err: error, part: name }, 'not ready');
        parts[name] = 'failed';
      }
    }),
  );
  return { isReady: !Object.values(parts).includes('failed'), parts };
}

async function withTimeout(work: PromiseLike<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

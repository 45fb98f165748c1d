import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import { formatMetric, watchProcess } from '#api/plugins/process-metrics.ts';

const CHECK_TIMEOUT_MS = 3000;

/** For whoever watches over the process: is it alive, can it work, how does it do. Not part of the contract. */
export function addHealthRoutes(server: FastifyInstance, app: AppContext): void {
  const schema = { hide: true };
  server.get('/healthz', { schema }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return { status: 'ok' };
  });

  server.get('/readyz', { schema }, async (request, reply) => {
    const parts = { database: () => app.db.$queryRaw`select 1`, queue: app.queue.check, storage: app.storage.check };
    const checked = await Promise.all(
      Object.entries(parts).map(async ([name, check]) => {
        try {
          await withTimeout(check());
          return [name, 'ok'];
        } catch (error) {
          request.log.error({ err: error, part: name }, 'not ready');
          return [name, 'failed'];
        }
      }),
    );
    const isReady = checked.every(([, state]) => state === 'ok');
    reply.code(isReady ? 200 : 503).header('Cache-Control', 'no-store');
    return { status: isReady ? 'ready' : 'not_ready', parts: Object.fromEntries(checked) };
  });

  const watched = watchProcess(server);
  server.get('/metrics', { schema }, async (request, reply) => {
    // Figures of the business are for the machine's own network, not for visitors that a proxy lets through.
    const isFromOutside = request.headers['x-forwarded-for'] !== undefined;
    if (app.config.isProduction && isFromOutside) throw new AppError('route_not_found');
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

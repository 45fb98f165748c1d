import type { Logger } from 'pino';

/** A slower operation is logged in production, too. */
const SLOW_OPERATION_MS = 1000;

/** Runs the work and logs its duration: as a warning if it was slow, otherwise at debug level. */
export async function timeOperation<T>(
  app: { log: Pick<Logger, 'warn' | 'debug'> },
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const ms = Math.round(performance.now() - startedAt);
    if (ms > SLOW_OPERATION_MS) app.log.warn({ operation, ms }, 'slow operation');
    else app.log.debug({ operation, ms }, 'operation');
  }
}

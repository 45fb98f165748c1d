import type { FastifyInstance } from 'fastify';
import { type ContextParts, createAppContext } from './app-context.ts';
import { readConfig } from './config/config.ts';
import type { AppContext } from './services/app-context.ts';
import { warnOfSmallShares } from './services/generations/engine-health/budget-shares.ts';
import { createLogger } from './telemetry/log.ts';

/** A stop that takes longer is forced: uploads have ten seconds, and the jobs that run have five after that. */
const STOP_DEADLINE_MS = 20_000;
/** Ctrl-C in a terminal arrives twice: from the terminal and from npm, which passes it on. */
const ECHO_MS = 1_000;

/**
 * Starts the roles named in ROLES and stops them cleanly on SIGINT and SIGTERM. `parts` replace the configured ones.
 */
export async function main(parts: ContextParts = {}): Promise<{ app: AppContext; address: string | null }> {
  const config = readConfig();
  const log = createLogger(config);
  for (const warning of [...config.unreadSettings, ...config.unwiseSettings]) log.warn(warning);
  let app: AppContext | null = null;
  let server: FastifyInstance | null = null;
  let stopBot: (() => Promise<void>) | null = null;
  let address: string | null = null;

  let stoppingSince: number | null = null;
  const stop = async (exitCode: number) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince < ECHO_MS) return;
      process.exit(exitCode || 130);
    }
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
    log.info('the server stops');
    try {
      await server?.close();
      await stopBot?.();
      await app?.close();
      log.info({ ms: Math.round(performance.now() - stoppingSince) }, 'the server has stopped');
      process.exit(exitCode);
    } catch (error) {
      log.error({ err: error }, 'the stop was not clean');
      process.exit(1);
    }
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    void stop(1);
  });

  // The process is useless without its database. A supervisor starts a new one.
  app = await createAppContext(config, log, { ...parts, onCrash: () => void stop(1) });
  for (const engine of app.engines.all) {
    const small = warnOfSmallShares(config, engine);
    if (small) log.warn(small);
  }
  try {
    // A process loads only its roles.
    if (config.roles.includes('api')) {
      const { createServer } = await import('./server.ts');
      server = await createServer(app);
      address = await server.listen({ port: config.port, host: config.host });
    } else if (config.monitorPort !== undefined) {
      const { createMonitor } = await import('./server.ts');
      server = await createMonitor(app);
      await server.listen({ port: config.monitorPort, host: config.host });
    }
    if (config.roles.includes('worker')) await (await import('./jobs/start-jobs.ts')).startJobs(app);
    if (config.roles.includes('bot')) stopBot = await (await import('#bot/main.ts')).startBot(app);
  } catch (error) {
    // A stop takes away what the rest of the start needs. It ends the process by itself.
    if (stoppingSince !== null) return new Promise<never>(() => undefined);
    await server?.close();
    await app.close();
    throw error;
  }
  return { app, address };
}

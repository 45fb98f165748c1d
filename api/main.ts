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

  async function start(): Promise<AppContext> {
    // The process is useless without its database. A supervisor starts a new one.
    const opened = await createAppContext(config, log, { ...parts, onCrash: () => stop(1) });
    app = opened;
    for (const engine of opened.engines.all) {
      const small = warnOfSmallShares(config, engine);
      if (small) log.warn(small);
    }
    try {
      // A process loads only its roles.
      if (config.roles.includes('api')) {
        const { createServer } = await import('./server.ts');
        server = await createServer(opened);
        address = await server.listen({ port: config.port, host: config.host });
      } else if (config.monitorPort !== undefined) {
        const { createMonitor } = await import('./server.ts');
        server = await createMonitor(opened);
        await server.listen({ port: config.monitorPort, host: config.host });
      }
      if (config.roles.includes('worker')) await (await import('./jobs/start-jobs.ts')).startJobs(opened);
      if (config.roles.includes('bot')) stopBot = await (await import('#bot/main.ts')).startBot(opened);
      return opened;
    } catch (error) {
      await server?.close();
      await opened.close();
      throw error;
    }
  }

  let stopping: { since: number; end: Promise<never> } | null = null;
  function stop(exitCode: number): void {
    if (!stopping) stopping = { since: performance.now(), end: stopOnce(exitCode) };
    else if (performance.now() - stopping.since >= ECHO_MS) process.exit(exitCode || 130);
  }

  async function stopOnce(exitCode: number): Promise<never> {
    const since = performance.now();
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS);
    log.info('the server stops');
    try {
      // A start that has its database is soon through. What it still opens could not be closed before.
      if (app) await starting;
      await server?.close();
      await stopBot?.();
      await app?.close();
      log.info({ ms: Math.round(performance.now() - since) }, 'the server has stopped');
      process.exit(exitCode);
    } catch (error) {
      log.error({ err: error }, 'the stop was not clean');
      process.exit(1);
    }
  }

  /** Nobody is to be told that a server is ready which stops meanwhile. */
  async function waitForStop(): Promise<void> {
    await stopping?.end;
  }

  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    stop(1);
  });

  const starting = start();
  const opened = await starting;
  await waitForStop();
  return { app: opened, address };
}

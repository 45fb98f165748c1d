import { enableCompileCache } from 'node:module';
import path from 'node:path';
import type { Config } from '#api/config/config.ts';
import { PAGE_PROVIDERS } from '#shared/rules/payment-providers.ts';
import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

const PARENT_CHECK_MS = 500;

const startedAt = performance.now();
// What an earlier start compiled, also for the processes that work. Without it each keeps a compiler of types in memory.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const parentWatch = process.argv.includes('--under-npm') ? stopWithParent() : undefined;
try {
  // `npm run dev` serves the interface itself.
  prepare({ pwa: !process.argv.includes('--without-pwa') });
  const { buildKernel } = await import('#api/adapters/generation-engines/local/kernel/build-kernel.ts');
  await buildKernel();
  // Imported after `prepare`, because these import what it generates.
  const { main } = await import('#api/main.ts');
  const { app, address } = await main();
  // A second signal would cut the stop short.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(parentWatch));
  console.log(describeStart(app.config, address, performance.now() - startedAt));
} catch (error) {
  reportStartError(error);
}

/**
 * Stops the server when its parent is gone. npm runs this process in a shell and signals only the shell. Some shells,
 * like dash, die of SIGTERM and do not pass it on.
 */
function stopWithParent(): NodeJS.Timeout {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  return watch.unref();
}

/** The report of a start: the address, where mails go and which embedded parts are in use. */
function describeStart(config: Config, address: string | null, startMs: number): string {
  const inDataDir = (name: string) => {
    const absolute = path.join(config.dataDir, name);
    const relative = path.relative('', absolute);
    return relative.startsWith('..') ? absolute : relative;
  };
  const lines = [
    ['Address', address === null ? 'none, the api role runs elsewhere' : config.publicUrl],
    ['Roles', config.roles.join(', ')],
    ...describeMonitor(config),
    ['Database', describeDatabase(config, inDataDir('db'))],
    [
      'Mails',
      config.smtpUrl ? 'sent by SMTP_URL' : `.eml files in ${inDataDir('outbox')}${mailboxPage(config, address)}`,
    ],
    ['Files', config.s3 ? `S3, bucket ${config.s3.bucket} at ${config.s3.endpoint}` : inDataDir('files')],
    ['Engine', describeEngines(config)],
    ['Encoder', config.videoEncoder],
    ['Payments', describePayments(config)],
    ['Bot', describeBot(config)],
  ];
  const width = Math.max(...lines.map(([name]) => name?.length ?? 0));
  const table = lines.map(([name, value]) => `  ${name?.padEnd(width)}  ${value}`).join('\n');
  return `\nПодиум is ready after ${(startMs / 1000).toFixed(1)} s.\n${table}\n  Ctrl-C stops it.\n`;
}

function describeMonitor({ roles, host, monitorPort }: Config): string[][] {
  return roles.includes('api') || monitorPort === undefined ? [] : [['Monitor', `http://${host}:${monitorPort}`]];
}

function describeDatabase({ databaseUrl, connections }: Config, folder: string): string {
  if (!databaseUrl) return `embedded PGlite in ${folder}`;
  return `PostgreSQL (DATABASE_URL), at most ${connections.total} connections`;
}

function describeEngines({ engines }: Config): string {
  const names = new Set(Object.values(engines));
  if (names.size > 1)
    return Object.entries(engines)
      .map(([kind, name]) => `${name} for ${kind}`)
      .join(', ');
  const [name] = names;
  return name === 'local' ? 'local: moves the pixels of the photo, generates none' : String(name);
}

function describePayments(config: Config): string {
  const { payments } = config;
  const offered = payments.includes('sandbox') ? 'sandbox: a page of our own, no money moves' : payments.join(', ');
  const former = PAGE_PROVIDERS.filter((name) => config[name] && !payments.includes(name));
  return former.length === 0 ? offered : `${offered} (${former.join(', ')} only for payments that it has opened)`;
}

function describeBot({ databaseUrl, roles, telegram }: Config): string {
  if (!roles.includes('bot')) return 'runs elsewhere';
  if (telegram.token === null) return 'off, TELEGRAM_BOT_TOKEN is not set';
  const way = telegram.updates === 'webhook' ? 'webhook' : 'long polling';
  // The bot connects to Telegram in the background, so it is unknown whether the token is valid.
  const turn = databaseUrl ? ' as soon as no other process is the active bot' : '';
  return `starts by ${way}${turn}; it is on when it answers /start in Telegram, and the log says why not`;
}

function mailboxPage(config: Config, address: string | null): string {
  return address === null || config.isProduction ? '' : `, shown at ${config.publicUrl}/dev/mailbox`;
}

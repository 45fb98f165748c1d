import path from 'node:path';
import type { Logger } from 'pino';
import { PAGE_PROVIDERS, type PageProvider } from '#shared/rules/payment-providers.ts';
import type { GarmentChecker } from './adapters/garment-check/garment-checker.ts';
import { createOpenCvGarmentChecker } from './adapters/garment-check/opencv-garment-checker.ts';
import type { EngineRegistry, GenerationEngine } from './adapters/generation-engines/generation-engine.ts';
import { createLocalEngine } from './adapters/generation-engines/local/local-engine.ts';
import type { Mailer } from './adapters/mail/mailer.ts';
import { createOutboxMailer, removeOldMails } from './adapters/mail/outbox-mailer.ts';
import { createSmtpMailer } from './adapters/mail/smtp-mailer.ts';
import type { CheckoutProvider, PaymentProvider } from './adapters/payments/payment-provider.ts';
import { createSandboxProvider } from './adapters/payments/sandbox/sandbox-provider.ts';
import { createTbankProvider } from './adapters/payments/tbank/tbank-provider.ts';
import { createYookassaProvider } from './adapters/payments/yookassa/yookassa-provider.ts';
import type { PushSender } from './adapters/push/push-sender.ts';
import { createWebPushSender } from './adapters/push/web-push-sender.ts';
import { createDiskStorage } from './adapters/storage/disk-storage.ts';
import type { ObjectStorage } from './adapters/storage/object-storage.ts';
import { trustAuthorities } from './adapters/trust-authorities.ts';
import { createProcessEncoder } from './adapters/video-encoder/process-encoder.ts';
import { type Catalogue, loadCatalogue } from './catalogue/load-catalogue.ts';
import { type Config, ConfigError } from './config/config.ts';
import { createAccountEvents } from './database/account-events.ts';
import { type DatabaseHandle, type Db, openDatabase } from './database/database.ts';
import { createLeadership } from './database/leadership.ts';
import type { Tracing } from './platform/request-context.ts';
import { openQueue, type Queue } from './queue/queue.ts';
import type { AppContext } from './services/app-context.ts';
import { createProcessState, type PasswordCost } from './services/core/process-state.ts';
import { countPushes, measureMails, traceEngine, traceStorage } from './telemetry/measured-ports.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { watchProcess } from './telemetry/process-figures.ts';
import { watchService } from './telemetry/service-figures.ts';

/** Parts that a test uses instead of the configured ones. */
export interface ContextParts {
  database?: DatabaseHandle;
  catalogue?: Catalogue;
  /** Makes the orders of every tool. */
  engine?: GenerationEngine;
  garmentChecker?: GarmentChecker;
  push?: PushSender;
  passwordCost?: PasswordCost;
}

interface ContextOptions extends ContextParts {
  /** Called when the database has ended on its own. The process should end, too. */
  onCrash?: () => void;
}

/**
 * The only wiring: connects each port to its adapter. What only some installations use is loaded only there. Throws
 * FolderInUseError, CatalogueError, FalModelsError, WorkflowTemplateError, or the error of a part that cannot start.
 */
export async function createAppContext(config: Config, log: Logger, options: ContextOptions = {}): Promise<AppContext> {
  trustAuthorities(config.extraAuthorities);
  const catalogue = options.catalogue ?? (await loadCatalogue(config.catalogueDir));
  const database = options.database ?? (await openDatabase(config, log, options.onCrash));
  const closers: (() => Promise<void>)[] = [() => database.close()];
  const metrics = createMetrics(log);
  const close = async () => {
    for (const closePart of closers.splice(0).reverse()) await closePart();
  };
  try {
    closers.push(watchProcess(metrics));
    const telemetry = await openTelemetry(config, metrics, log);
    closers.push(async () => telemetry?.close());
    const tracing = telemetry?.tracing ?? null;
    const mailer = createMailer(config);
    closers.push(() => mailer.close());
    const push = options.push ?? createWebPushSender({ vapid: config.push, hosts: config.push.hosts });
    closers.push(async () => push.close());
    const engines = options.engine
      ? registerOne(traceEngine(options.engine, tracing))
      : await createEngines(config, { log, tracing });
    closers.push(async () => {
      for (const engine of engines.all) await engine.close();
    });
    const queue = await openQueue(database, config, log, tracing);
    closers.push(() => queue.stop());
    const telegram = await createTelegram(config);
    const storage = traceStorage(await createStorage(config), tracing);
    watchService(metrics, { database, queue, storage, dataDir: config.dataDir });
    return {
      config,
      log,
      db: database.db,
      pool: database.pool,
      queue,
      storage,
      mailer: measureMails(mailer, metrics, log),
      push: countPushes(push, metrics),
      accountEvents: createAccountEvents(database, config, log),
      leadership: createLeadership(config, log),
      engines,
      videoEncoder: createProcessEncoder(config.videoEncoder),
      garmentChecker: options.garmentChecker ?? (config.garmentCheck.isOn ? createOpenCvGarmentChecker() : null),
      catalogue,
      state: createProcessState({ pool: config.connections.pool, passwordCost: options.passwordCost }),
      metrics,
      tracing,
      telegram,
      ...(await createPayments(config, database.db, queue, telegram)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads the SDK only for an operator with a collector. Null without. */
async function openTelemetry({ otlpEndpoint: endpoint, roles }: Config, metrics: Metrics, log: Logger) {
  if (!endpoint) return null;
  const { startOpenTelemetry } = await import('./telemetry/open-telemetry.ts');
  return startOpenTelemetry({ endpoint, roles, metrics, log });
}

/** Where photos and results are kept. */
export async function createStorage({ s3, dataDir }: Pick<Config, 'dataDir' | 's3'>): Promise<ObjectStorage> {
  if (!s3) return createDiskStorage({ folder: path.join(dataDir, 'files') });
  const { createS3Storage } = await import('./adapters/storage/s3-storage.ts');
  return createS3Storage(s3);
}

export function createMailer({ smtpUrl, smtpTls, mailFrom, dataDir }: Config): Mailer {
  const folder = path.join(dataDir, 'outbox');
  if (!smtpUrl) return createOutboxMailer({ folder, from: mailFrom });
  // The outbox may hold mails of a time without a mail server.
  const mailer = createSmtpMailer({ url: smtpUrl, tls: smtpTls, from: mailFrom });
  return { ...mailer, removeOld: () => removeOldMails(folder) };
}

/** Null without a token. */
export async function createTelegram({ telegram: { token, apiRoot } }: Config): Promise<AppContext['telegram']> {
  if (!token) return null;
  const { createTelegramApi } = await import('./adapters/telegram/create-telegram-api.ts');
  return createTelegramApi({ token, apiRoot });
}

/** The engines outside this process that have their settings. Creating one may fail, if its settings do not fit it. */
export function listRemoteEngines(
  { fal, comfyui }: Config,
  log: Logger,
): { name: string; create: () => Promise<GenerationEngine> }[] {
  const found: { name: string; create: () => Promise<GenerationEngine> }[] = [];
  if (fal) {
    const create = async () => {
      const { createFalEngine } = await import('./adapters/generation-engines/fal/fal-engine.ts');
      const { readFalModels } = await import('./adapters/generation-engines/fal/fal-models.ts');
      return createFalEngine({ ...fal, models: readFalModels(fal.modelsFile) });
    };
    found.push({ name: 'fal', create });
  }
  if (comfyui) {
    const create = async () => {
      const { createComfyuiEngine } = await import('./adapters/generation-engines/comfyui/comfyui-engine.ts');
      return createComfyuiEngine({ ...comfyui, log });
    };
    found.push({ name: 'comfyui', create });
  }
  return found;
}

/** Creates every engine that has its settings, so that the orders of one that is no longer chosen are followed, too. */
async function createEngines(
  config: Config,
  { log, tracing }: { log: Logger; tracing: Tracing | null },
): Promise<EngineRegistry> {
  const local = { workDir: path.join(config.dataDir, 'renders'), encoder: config.videoEncoder, log };
  const created = [await createLocalEngine(local)];
  for (const { create } of listRemoteEngines(config, log)) created.push(await create());
  const all = created.map((engine) => traceEngine(engine, tracing));
  const find = (name: string) => all.find((engine) => engine.name === name) ?? null;
  return {
    all,
    find,
    of(kind) {
      const engine = find(config.engines[kind]);
      return engine?.abilities[kind] ? engine : null;
    },
  };
}

function registerOne(engine: GenerationEngine): EngineRegistry {
  return {
    all: [engine],
    find: (name) => (name === engine.name ? engine : null),
    of: (kind) => (engine.abilities[kind] ? engine : null),
  };
}

/** Create the providers. Null without keys. */
const PAGE_PROVIDER_FACTORIES: Record<PageProvider, (config: Config) => CheckoutProvider | null> = {
  yookassa: ({ yookassa, receipt }) => yookassa && createYookassaProvider({ ...yookassa, receipt }),
  tbank: ({ tbank, receipt, publicUrl }) => {
    // T-Bank sends notifications only to https addresses.
    const notificationUrl = publicUrl.startsWith('https://') ? publicUrl + webhookPath('tbank') : null;
    return tbank && createTbankProvider({ ...tbank, receipt, notificationUrl });
  },
};

/** Every provider with a payment page that has its keys. */
export function createPageProviders(config: Config): CheckoutProvider[] {
  return PAGE_PROVIDERS.flatMap((name) => PAGE_PROVIDER_FACTORIES[name](config) ?? []);
}

function webhookPath(provider: Config['payments'][number]): string {
  return `/api/payments/webhook/${provider}`;
}

/**
 * All configured providers. PAYMENTS says which ones are offered, and in which order. Throws ConfigError when PAYMENTS
 * names one that has no adapter.
 */
async function createPayments(
  config: Config,
  db: Db,
  queue: Queue,
  telegram: AppContext['telegram'],
): Promise<Pick<AppContext, 'payments' | 'sandbox'>> {
  const pageProviders = createPageProviders(config);
  let sandbox: AppContext['sandbox'] = null;
  if (config.payments.includes('sandbox')) {
    const created = createSandboxProvider({
      db,
      publicUrl: config.publicUrl,
      webhookUrl: chooseOwnAddress(config) + webhookPath('sandbox'),
      sendNotification: (tx, notification) => queue.send(tx, 'send-sandbox-notification', notification),
    });
    pageProviders.push(created.provider);
    sandbox = created.sandbox;
  }
  const all = telegram ? [...pageProviders, await createStarsProvider(telegram)] : pageProviders;
  const offered = config.payments.map((name) => {
    const provider = pageProviders.find((one) => one.name === name);
    if (!provider) throw new ConfigError([`PAYMENTS: providers with an adapter (no adapter is named «${name}»)`]);
    return provider;
  });
  return { payments: { offered, all, find: (name) => all.find((one) => one.name === name) ?? null }, sandbox };
}

async function createStarsProvider(telegram: NonNullable<AppContext['telegram']>): Promise<PaymentProvider> {
  const { createTelegramStarsProvider } = await import('./adapters/payments/telegram-stars/telegram-stars-provider.ts');
  return createTelegramStarsProvider(telegram);
}

/** The address at which this process reaches the API. Its own API is called directly, past every proxy. */
function chooseOwnAddress({ roles, host, port, publicUrl }: Config): string {
  if (!roles.includes('api')) return publicUrl;
  const listening = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${listening.includes(':') ? `[${listening}]` : listening}:${port}`;
}

import { maxHeaderSize } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import { addApiDocs } from './plugins/api-docs.ts';
import { addAuthentication } from './plugins/authentication.ts';
import { addUnknownProxyWarning } from './plugins/caller-address.ts';
import { addClientErrors, answerClientError } from './plugins/client-errors.ts';
import { addErrorHandler, answerError } from './plugins/error-handler.ts';
import { addHostCheck } from './plugins/host-check.ts';
import { addJsonBody, addNulRefusal } from './plugins/json-body.ts';
import { addOriginCheck } from './plugins/origin-check.ts';
import { addRateLimit } from './plugins/rate-limit.ts';
import { addRequestContext, createRequestIds } from './plugins/request-context.ts';
import { addRequestLog, createLogController } from './plugins/request-log.ts';
import { addRequestMetrics } from './plugins/request-metrics.ts';
import { addSecurityHeaders } from './plugins/security-headers.ts';
import { addStaticFiles, replaceUndecodableAddress } from './plugins/static-files.ts';
import { addStopGrace } from './plugins/stop-grace.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addAdministrationRoutes } from './routes/administration.ts';
import { addAnalyticsRoutes } from './routes/analytics.ts';
import { addBatchRoutes } from './routes/batches.ts';
import { addCatalogueRoutes } from './routes/catalogue.ts';
import { addDownloadRoutes } from './routes/downloads.ts';
import { addEventRoutes } from './routes/events.ts';
import { addGalleryRoutes } from './routes/gallery.ts';
import { addGenerationRoutes } from './routes/generations.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addInterviewRoutes } from './routes/interview.ts';
import { addMediaRoutes } from './routes/media.ts';
import { addModelChangeRoutes } from './routes/model-changes.ts';
import { addNotificationRoutes } from './routes/notifications.ts';
import { addHelpRoute, addOperatorRoutes } from './routes/operator.ts';
import { addPackRoutes } from './routes/packs.ts';
import { addPaymentRoutes } from './routes/payments.ts';
import { addPhotosessionRoutes } from './routes/photosessions.ts';
import { addProductRoutes } from './routes/products.ts';
import { addResultReportRoutes } from './routes/result-reports.ts';
import { addSandboxRoutes } from './routes/sandbox.ts';
import { addSettingsRoutes } from './routes/settings.ts';
import { addShowcaseRoutes } from './routes/showcase.ts';
import { addStarRoutes } from './routes/stars.ts';
import { addTelegramRoutes } from './routes/telegram.ts';
import { addToolSettingRoutes } from './routes/tool-settings.ts';
import { addToolRoutes } from './routes/tools.ts';
import { addTryOnRoutes } from './routes/try-on.ts';
import { addUploadRoutes } from './routes/uploads.ts';
import { addVideoRoutes } from './routes/videos.ts';
import type { AppContext } from './services/app-context.ts';

/** Most bodies are small JSON. Photos come as forms, which have their own limit. */
const JSON_BODY_MAX_BYTES = 64 * 1024;

/** How long the headers of a request may take, and how often that is looked at. */
const HEADERS_MAX_MS = 60_000;
const CHECK_MS = 5_000;
/** How long a request may take to come in: a photo of 10 MB over EDGE needs eleven minutes. */
const REQUEST_MAX_MS = 12 * 60_000;

/** What every server of ours does: limits, ids, errors and the log. */
function createBareServer(app: AppContext): FastifyInstance {
  const server: FastifyInstance = Fastify({
    // A wider type, so that plugins and routes do not depend on the logger's type.
    loggerInstance: app.log as FastifyBaseLogger,
    logController: createLogController(),
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    bodyLimit: JSON_BODY_MAX_BYTES,
    http: { headersTimeout: HEADERS_MAX_MS, connectionsCheckingInterval: CHECK_MS },
    requestTimeout: REQUEST_MAX_MS,
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
    // What still comes during a stop is answered in our own words, or refused by addStopGrace.
    return503OnClosing: false,
    frameworkErrors: answerError,
    rewriteUrl: replaceUndecodableAddress,
    // A longer id finds its route too, and is answered like every other that names nothing.
    routerOptions: { maxParamLength: maxHeaderSize },
    genReqId: createRequestIds(app.config.trustedProxies),
  });
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);

  addClientErrors(server);
  addRequestContext(server, app);
  addErrorHandler(server);
  addStopGrace(server);
  addJsonBody(server);
  addNulRefusal(server);
  addRequestLog(server);
  return server;
}

/** Only health and metrics, for a process that serves nothing else. */
export async function createMonitor(app: AppContext): Promise<FastifyInstance> {
  const server = createBareServer(app);
  addRateLimit(server, app);
  addHealthRoutes(server, app);
  return server;
}

/** The HTTP server: all plugins, then the routes of every noun. Tests and main.ts use the same server. */
export async function createServer(app: AppContext): Promise<FastifyInstance> {
  const server = createBareServer(app);
  addRequestMetrics(server, app);
  if (app.config.isProduction) addUnknownProxyWarning(server);
  await addSecurityHeaders(server, app);
  addHostCheck(server, app);
  await server.register(fastifyCookie);
  addOriginCheck(server, app);
  addAuthentication(server, app);
  addRateLimit(server, app);
  await server.register(fastifyMultipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: PHOTO_MAX_BYTES, files: 1, fields: 10, fieldSize: 4096, headerPairs: 100 },
  });
  await addApiDocs(server);

  addHealthRoutes(server, app);
  addAccountRoutes(server, app);
  addSettingsRoutes(server, app);
  addStarRoutes(server, app);
  addPaymentRoutes(server, app);
  addUploadRoutes(server, app);
  addCatalogueRoutes(server, app);
  addVideoRoutes(server, app);
  addModelChangeRoutes(server, app);
  addPhotosessionRoutes(server, app);
  addGenerationRoutes(server, app);
  addNotificationRoutes(server, app);
  addEventRoutes(server, app);
  addMediaRoutes(server, app);
  addResultReportRoutes(server, app);
  addGalleryRoutes(server, app);
  addBatchRoutes(server, app);
  addPackRoutes(server, app);
  addProductRoutes(server, app);
  addToolSettingRoutes(server, app);
  addDownloadRoutes(server, app);
  addAnalyticsRoutes(server, app);
  addAdministrationRoutes(server, app);
  addInterviewRoutes(server, app);
  addTelegramRoutes(server, app);
  addHelpRoute(server, app);
  addOperatorRoutes(server, app);
  addShowcaseRoutes(server, app);
  addToolRoutes(server, app);
  addTryOnRoutes(server, app);
  if (app.sandbox) await addSandboxRoutes(server, app.sandbox);
  if (!app.config.isProduction) (await import('./routes/dev-mailbox.ts')).addDevMailboxRoutes(server, app);
  await addStaticFiles(server, app);
  return server;
}

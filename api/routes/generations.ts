import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { type Cancellation, cancelGeneration } from '#api/services/generations/cancel-generation.ts';
import { receiveEngineNotification } from '#api/services/generations/engine-webhooks.ts';
import { startReroll } from '#api/services/generations/start-reroll.ts';
import { getGenerationView } from '#api/services/generations/view.ts';
import {
  cancelGeneration as cancelGenerationEndpoint,
  getGeneration,
  receiveEngineNotification as receiveEngineNotificationEndpoint,
  rerollGeneration,
} from '#shared/contract/generations.ts';
import { explainFreeFailure, GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** As many as starts of a tool. */
const REROLLS_PER_MINUTE = 120;

/** The calls that all tools share. */
export function addGenerationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getGeneration, ({ account, params }) => getGenerationView(app, account.id, params.id));
  bindEndpoint(server, rerollGeneration, ({ account, params }) => startReroll(app, account.id, params.id), {
    limit: { max: REROLLS_PER_MINUTE, timeWindow: '1 minute' },
  });
  bindEndpoint(server, cancelGenerationEndpoint, async ({ account, params }) => {
    const cancellation = await cancelGeneration(app, account.id, params.id);
    return { outcome: cancellation.outcome, message: describeCancellation(cancellation) };
  });
  void server.register(async (webhook) => addEngineWebhook(webhook, app));
}

/** Webhook of the engines' providers. It keeps the raw bytes, because signatures cover them. */
function addEngineWebhook(server: FastifyInstance, app: AppContext): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  bindEndpoint(
    server,
    receiveEngineNotificationEndpoint,
    async ({ params, body, request: { headers } }) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      await receiveEngineNotification(app, { ...params, headers, body: bytes });
      return { received: true as const };
    },
    { originCheck: 'never' },
  );
}

function describeCancellation(cancellation: Cancellation): string {
  if (cancellation.outcome === 'runs_on') {
    return cancellation.hasStopped
      ? 'Часть кадров уже делается: они появятся в галерее. Остальные остановлены'
      : 'Остановить уже нельзя: результат появится в галерее';
  }
  if (!cancellation.hasResults) {
    return cancellation.starsBack > 0 ? GENERATION_FAILURES.cancelled : explainFreeFailure('cancelled');
  }
  return cancellation.starsBack > 0
    ? 'Генерация остановлена. Готовые кадры остались в галерее, 1 звезда возвращена'
    : 'Генерация остановлена. Готовые кадры остались в галерее';
}

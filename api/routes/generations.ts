import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { returnLostStars } from '#api/services/generations/results/lost-results.ts';
import { type Cancellation, cancelGeneration } from '#api/services/generations/running/cancel-generation.ts';
import { receiveEngineNotification } from '#api/services/generations/running/engine-webhooks.ts';
import { startReroll } from '#api/services/generations/starting/start-reroll.ts';
import { getView } from '#api/services/generations/tools/view.ts';
import {
  cancelGeneration as cancelGenerationEndpoint,
  getGeneration,
  receiveEngineNotification as receiveEngineNotificationEndpoint,
  rerollGeneration,
  returnLostStars as returnLostStarsEndpoint,
} from '#shared/contract/generations.ts';
import { explainFreeFailure, GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { bindEndpoint, bindWebhook } from './bind-endpoint.ts';

/** The calls that all tools share. */
export function addGenerationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getGeneration, ({ account, params }) => getView(app, account, params.id));
  bindEndpoint(server, rerollGeneration, ({ account, params }) => startReroll(app, account.id, params.id), {
    limit: REQUEST_LIMITS.start,
  });
  bindEndpoint(server, cancelGenerationEndpoint, async ({ account, params }) => {
    const cancellation = await cancelGeneration(app, account.id, params.id);
    return { outcome: cancellation.outcome, message: describeCancellation(cancellation) };
  });
  bindEndpoint(server, returnLostStarsEndpoint, async ({ account, params }) => {
    const stars = await returnLostStars(app, account.id, params.id);
    return { stars, message: `${countStars(stars)} ${pluralize(stars, ['возвращена', 'возвращены', 'возвращены'])}` };
  });
  bindWebhook(server, receiveEngineNotificationEndpoint, async ({ params, request: { headers } }, body) => {
    await receiveEngineNotification(app, { ...params, headers, body });
    return { received: true as const };
  });
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

import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { type Cancellation, cancelGeneration } from '#api/services/generations/cancel-generation.ts';
import { getGenerationView } from '#api/services/generations/view.ts';
import { cancelGeneration as cancelGenerationEndpoint, getGeneration } from '#shared/contract/generations.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** The calls that all tools share. */
export function addGenerationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getGeneration, ({ account, params }) => getGenerationView(app, account.id, params.id));
  bindEndpoint(server, cancelGenerationEndpoint, async ({ account, params }) => {
    const cancellation = await cancelGeneration(app, account.id, params.id);
    return { outcome: cancellation.outcome, message: describeCancellation(cancellation) };
  });
}

function describeCancellation(cancellation: Cancellation): string {
  if (cancellation.outcome === 'runs_on') return 'Остановить уже нельзя: результат появится в галерее';
  if (!cancellation.hasResults) return GENERATION_FAILURES.cancelled;
  return cancellation.starsBack > 0
    ? 'Генерация остановлена. Готовые кадры остались в галерее, 1 звезда возвращена'
    : 'Генерация остановлена. Готовые кадры остались в галерее';
}

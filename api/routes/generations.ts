import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { cancelGeneration } from '#api/services/cancel-generation.ts';
import { cancelGeneration as cancelGenerationEndpoint } from '#shared/contract/generations.ts';
import { bindEndpoint } from './bind-endpoint.ts';

const OUTCOME_TEXTS = {
  cancelled: 'Генерация отменена, звёзды возвращены',
  runs_on: 'Остановить уже нельзя: результат появится в галерее',
} as const;

/** What is common to the generations of all tools. */
export function addGenerationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, cancelGenerationEndpoint, async ({ account, params }) => {
    const outcome = await cancelGeneration(app, account.id, params.id);
    return { outcome, message: OUTCOME_TEXTS[outcome] };
  });
}

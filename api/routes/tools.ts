import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { describeOffer } from '#api/services/generations/engine-health/engine-outages.ts';
import { getToolAbilities, getToolOffer } from '#shared/contract/tools.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** What the tools make with the configured engines, and what can be started now. */
export function addToolRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getToolAbilities, async () => describeTools(app));
  bindEndpoint(server, getToolOffer, ({ account }) => describeOffer(app, account?.id ?? null));
}

import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { getBalance } from '#api/services/stars.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { bindEndpoint } from './bind-endpoint.ts';

export function addStarRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getStarBalance, async ({ account }) => ({ balance: await getBalance(app, account.id) }));
}

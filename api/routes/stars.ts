import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { listStarHistory } from '#api/services/stars/history.ts';
import * as contract from '#shared/contract/stars.ts';
import { bindEndpoint } from './bind-endpoint.ts';

export function addStarRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, contract.getStarBalance, async ({ account }) => ({ balance: account.starBalance }));
  bindEndpoint(server, contract.listStarHistory, ({ account, query }) =>
    listStarHistory(app, account.id, { cursor: query.cursor, limit: query.limit }),
  );
}

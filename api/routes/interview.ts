import type { FastifyInstance } from 'fastify';
import { requestInterview } from '#api/services/administration/interviews.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { requestInterview as requestInterviewEndpoint } from '#shared/contract/interview.ts';
import { bindEndpoint } from './bind-endpoint.ts';

const REQUESTS_PER_MINUTE = 10;

export function addInterviewRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    requestInterviewEndpoint,
    async ({ account, body }) => {
      await requestInterview(app, account.id, body);
      return { status: 'received' as const };
    },
    { limit: { max: REQUESTS_PER_MINUTE, timeWindow: '1 minute' } },
  );
}

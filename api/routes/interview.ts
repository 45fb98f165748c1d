import type { FastifyInstance } from 'fastify';
import { requestInterview, takeInterviewInvitation } from '#api/services/administration/interviews.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import {
  requestInterview as requestInterviewEndpoint,
  takeInterviewInvitation as takeInterviewInvitationEndpoint,
} from '#shared/contract/interview.ts';
import { bindEndpoint } from './bind-endpoint.ts';

export function addInterviewRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    takeInterviewInvitationEndpoint,
    async ({ account }) => ({ isDue: await takeInterviewInvitation(app, account.id) }),
    { limit: REQUEST_LIMITS.interview },
  );
  bindEndpoint(
    server,
    requestInterviewEndpoint,
    async ({ account, body }) => {
      await requestInterview(app, account.id, body);
      return { status: 'received' as const };
    },
    { limit: REQUEST_LIMITS.interview },
  );
}

import type { FastifyInstance } from 'fastify';
import { requestInterview, takeInterviewInvitation } from '#api/services/administration/interviews.ts';
import type { AppContext } from '#api/services/app-context.ts';
import {
  requestInterview as requestInterviewEndpoint,
  takeInterviewInvitation as takeInterviewInvitationEndpoint,
} from '#shared/contract/interview.ts';
import { bindEndpoint } from './bind-endpoint.ts';

const REQUESTS_PER_MINUTE = 10;

export function addInterviewRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    takeInterviewInvitationEndpoint,
    async ({ account }) => ({ isDue: await takeInterviewInvitation(app, account.id) }),
    { limit: { max: REQUESTS_PER_MINUTE, timeWindow: '1 minute' } },
  );
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

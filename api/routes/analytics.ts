import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { recordEvent } from '#api/services/analytics.ts';
import { ANALYTICS_CONSENT_HEADER, recordEvent as recordEventEndpoint } from '#shared/contract/analytics.ts';
import { bindEndpoint } from './bind-endpoint.ts';

const EVENTS_PER_MINUTE = 300;

export function addAnalyticsRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    recordEventEndpoint,
    async ({ account, body, request }) => {
      const hasConsent = request.headers[ANALYTICS_CONSENT_HEADER] === 'accepted';
      await recordEvent(app, {
        name: body.event_name,
        accountId: hasConsent ? (account?.id ?? null) : null,
        pageLocation: body.page_location,
        videoId: body.video_id,
        source: body.source,
        details: body.details,
      });
      return undefined;
    },
    { limit: { max: EVENTS_PER_MINUTE, timeWindow: '1 minute' } },
  );
}

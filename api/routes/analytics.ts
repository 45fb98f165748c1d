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
      const counted = { name: body.event_name, pageLocation: body.page_location, source: body.source };
      // Without consent nothing is kept that tells one person, or what belongs to one, from another.
      const personal = { accountId: account?.id ?? null, videoId: body.video_id, details: body.details };
      await recordEvent(app, hasConsent ? { ...counted, ...personal } : { ...counted, accountId: null });
      return undefined;
    },
    { limit: { max: EVENTS_PER_MINUTE, timeWindow: '1 minute' } },
  );
}

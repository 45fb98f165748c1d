import type { FastifyInstance, FastifyReply } from 'fastify';
import { getCallerAddress } from '#api/plugins/caller-address.ts';
import { recordEvent } from '#api/services/administration/analytics.ts';
import { countMetrics, countMetricsByDay } from '#api/services/administration/analytics-counts.ts';
import { writeAnalyticsCsv, writeEngineCsv } from '#api/services/administration/analytics-csv.ts';
import { readEngineAnalytics } from '#api/services/administration/engine-analytics.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { consumeLimit, toNetwork } from '#api/services/core/limits.ts';
import {
  ANALYTICS_CONSENT_HEADER,
  downloadDailyAnalytics,
  getAnalytics,
  getDailyAnalytics,
  recordEvent as recordEventEndpoint,
} from '#shared/contract/analytics.ts';
import { downloadEngineAnalytics, getEngineAnalytics } from '#shared/contract/engines.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { describeAttachment } from './stream-file.ts';

export function addAnalyticsRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, recordEventEndpoint, async ({ account, body, request }) => {
    await consumeLimit(app, LIMITS.analyticsEvents, toNetwork(getCallerAddress(request)));
    const hasConsent = request.headers[ANALYTICS_CONSENT_HEADER] === 'accepted';
    const counted = { name: body.event_name, pageLocation: body.page_location, source: body.source };
    // Without consent nothing is stored that identifies a person or their videos.
    const personal = { accountId: account?.id ?? null, videoId: body.video_id, details: body.details };
    await recordEvent(app, hasConsent ? { ...counted, ...personal } : { ...counted, accountId: null });
  });
  const alone = <T>(work: () => Promise<T>) => app.state.semaphores.administration.run(work);
  bindEndpoint(server, getAnalytics, ({ query }) => alone(() => countMetrics(app, query)));
  bindEndpoint(server, getDailyAnalytics, async ({ query }) => ({
    days: await alone(() => countMetricsByDay(app, query)),
  }));
  bindEndpoint(server, downloadDailyAnalytics, async ({ query, reply }) =>
    sendCsv(reply, 'podium-analytics.csv', writeAnalyticsCsv(await alone(() => countMetricsByDay(app, query)))),
  );
  bindEndpoint(server, getEngineAnalytics, ({ query }) => alone(() => readEngineAnalytics(app, query)));
  bindEndpoint(server, downloadEngineAnalytics, async ({ query, reply }) => {
    const { engines } = await alone(() => readEngineAnalytics(app, query));
    return sendCsv(reply, 'podium-engines.csv', writeEngineCsv(engines));
  });
}

function sendCsv(reply: FastifyReply, name: string, content: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': describeAttachment(name),
      'cache-control': 'private, no-store',
    })
    .send(content);
}

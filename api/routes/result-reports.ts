import type { FastifyInstance } from 'fastify';
import { ownSession } from '#api/plugins/session-cookie.ts';
import { assertConfirmed } from '#api/services/accounts/admin-confirmation.ts';
import {
  closeReport,
  countOpenReports,
  getReportedPhoto,
  getReportedResult,
  listReports,
} from '#api/services/administration/reports.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { findItemReport, reportItem } from '#api/services/generations/reports/result-reports.ts';
import { withPoster, withSourcePreview } from '#api/services/generations/results/shown-photos.ts';
import * as contract from '#shared/contract/result-reports.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { sendPicture } from './media.ts';
import { sendStoredFile } from './stream-file.ts';

/** Complaints about results: those of a person, and all of them for administrators. */
export function addResultReportRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    contract.reportResult,
    ({ account, params, body }) => reportItem(app, account.id, params.id, body),
    { limit: REQUEST_LIMITS.report },
  );
  bindEndpoint(server, contract.getResultReport, async ({ account, params }) => ({
    report: await findItemReport(app, account.id, params.id),
  }));
  bindEndpoint(server, contract.listReports, ({ query }) => listReports(app, query));
  bindEndpoint(server, contract.countOpenReports, async () => ({ count: await countOpenReports(app) }));
  bindEndpoint(server, contract.closeReport, async ({ account, params, body, request }) => {
    if (body.decision === 'stars_returned') await assertConfirmed(app, ownSession(app, account, request));
    return closeReport(app, account.id, params.id, body);
  });
  addReportedFiles(server, app);
}

/** What an administrator has to see to decide. */
function addReportedFiles(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, contract.streamReportedResult, async ({ account, params, request, reply }) => {
    const { originalKey: key, bytes, contentType } = await getReportedResult(app, account.id, params.id);
    return sendStoredFile(app, {
      request,
      reply,
      file: { key, bytes },
      contentType,
      cacheControl: 'private, no-store',
      allowRanges: true,
    });
  });
  bindEndpoint(server, contract.streamReportedPreview, async ({ account, params, request, reply }) => {
    const result = await getReportedResult(app, account.id, params.id);
    return withPoster(app, result, (file) => sendPicture(app, request, reply, file));
  });
  bindEndpoint(server, contract.streamReportedPhoto, async ({ account, params, request, reply }) => {
    const photo = await getReportedPhoto(app, account.id, { reportId: params.id, position: params.position });
    return withSourcePreview(app, photo, (file) => sendPicture(app, request, reply, file));
  });
}

import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import {
  needsComment,
  REPORT_DECISION_NAMES,
  REPORT_REASON_NAMES,
  REPORT_TEXT_MAX,
} from '#shared/rules/result-reports.ts';
import { RESULT_KINDS } from '#shared/rules/tools.ts';
import { CONFIRMATION_ERRORS } from './administration.ts';
import { defineEndpoint } from './endpoint.ts';
import { garmentCheck } from './garment-checks.ts';
import { byId, pageCursor } from './ids.ts';
import { ITEM_REFUSALS } from './item-refusals.ts';
import { REPORT_STATUSES, reportState } from './report-state.ts';

const words = z._default(
  z.nullable(
    z.pipe(
      z.string().check(z.trim(), z.maxLength(REPORT_TEXT_MAX)),
      z.transform((text) => text || null),
    ),
  ),
  null,
);

/** `id`: of a gallery image or of a video. While a complaint about the result is open, a repeat changes nothing. */
export const reportResult = defineEndpoint({
  method: 'POST',
  path: '/api/results/:id/report',
  summary: 'Complains about a result',
  access: 'account',
  params: byId,
  body: z.object({ reason: z.enum(REPORT_REASON_NAMES), comment: words }).check(
    z.refine(({ reason, comment }) => comment !== null || !needsComment(reason), {
      path: ['comment'],
      message: 'Опишите, что не так',
    }),
  ),
  answer: reportState,
  errors: [...ITEM_REFUSALS, 'too_many_requests'],
});

export const getResultReport = defineEndpoint({
  method: 'GET',
  path: '/api/results/:id/report',
  summary: 'The newest complaint about a result',
  access: 'account',
  params: byId,
  answer: z.object({ report: z.nullable(reportState) }),
  errors: [...ITEM_REFUSALS],
});

export const adminReport = z.extend(reportState, {
  id: z.uuid(),
  account: z.object({
    id: z.int(),
    /** The person's name in Telegram for an account without an e-mail. */
    email: z.string(),
  }),
  generationId: z.uuid(),
  kind: z.enum(GENERATION_KINDS),
  /** What it really is. A change of model may have changed only the background. */
  made: z.enum(RESULT_KINDS),
  engine: z.string(),
  /** The engine's model or template. Null for an engine without jobs. */
  model: z.nullable(z.string()),
  reason: z.enum(REPORT_REASON_NAMES),
  isUrgent: z.boolean(),
  comment: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  closedAt: z.nullable(z.iso.datetime()),
  closedBy: z.nullable(z.string()),
  /** Stars that `stars_returned` gives back now, or has given back. */
  stars: z.int(),
  /** Null once it was removed. Its files are served below the report's address. */
  result: z.nullable(
    z.object({
      position: z.int(),
      isVideo: z.boolean(),
      width: z.int(),
      height: z.int(),
      /** Whether its owner has deleted it. It is removed later. */
      isDeleted: z.boolean(),
    }),
  ),
  /** What the comparison of the garment with its photo has found. Null when it was not compared. */
  garmentCheck: z.nullable(z.omit(garmentCheck, { crops: true })),
  /** Number of the source photos that are still stored. */
  photos: z.int(),
});
export type AdminReport = z.infer<typeof adminReport>;

export const listReports = defineEndpoint({
  method: 'GET',
  path: '/api/admin/reports',
  summary: 'Complaints about results: open ones by urgency and age, closed ones with the newest decision first',
  access: 'admin',
  query: z.object({
    status: z._default(z.enum(REPORT_STATUSES), 'open'),
    cursor: pageCursor,
  }),
  answer: z.object({ reports: z.array(adminReport), nextCursor: z.nullable(z.string()) }),
});

export const countOpenReports = defineEndpoint({
  method: 'GET',
  path: '/api/admin/open-report-count',
  summary: 'How many complaints wait for a decision',
  access: 'admin',
  answer: z.object({ count: z.int() }),
});

/** A repeated decision of the same administrator changes nothing. Giving stars back asks for a confirmation. */
export const closeReport = defineEndpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/decision',
  summary: 'Decides about a complaint',
  access: 'admin',
  params: byId,
  body: z.object({ decision: z.enum(REPORT_DECISION_NAMES), answer: words }),
  answer: adminReport,
  errors: [
    ...CONFIRMATION_ERRORS,
    'report_not_found',
    'report_closed',
    'report_result_gone',
    'report_generation_runs',
    'report_costs_nothing',
  ],
});

export const streamReportedResult = defineEndpoint({
  method: 'GET',
  path: '/api/admin/reports/:id/result',
  summary: 'The file of a reported result',
  access: 'admin',
  params: byId,
  errors: ['report_not_found'],
});
export const streamReportedPreview = defineEndpoint({
  method: 'GET',
  path: '/api/admin/reports/:id/preview',
  summary: 'The still of a reported result',
  access: 'admin',
  params: byId,
  errors: ['report_not_found'],
});
export const streamReportedPhoto = defineEndpoint({
  method: 'GET',
  path: '/api/admin/reports/:id/photos/:position',
  summary: 'A photo that a reported result was made from',
  access: 'admin',
  params: z.extend(byId, { position: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(9)) }),
  errors: ['report_not_found'],
});

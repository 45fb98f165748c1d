import * as z from 'zod/mini';
import { REPORT_DECISION_NAMES } from '#shared/rules/result-reports.ts';

export const REPORT_STATUSES = ['open', 'closed'] as const;

export const reportState = z.object({
  status: z.enum(REPORT_STATUSES),
  decision: z.nullable(z.enum(REPORT_DECISION_NAMES)),
  answer: z.nullable(z.string()),
});
export type ReportState = z.infer<typeof reportState>;

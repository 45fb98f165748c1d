/** Why a person complains about a result. The labels are shown in this order. */
export const REPORT_REASONS = {
  garment_distorted: 'Вещь искажена: цвет, принт, крой',
  person_distorted: 'Человек искажён: руки, лицо',
  forbidden_content: 'Неприемлемое содержание',
  minor: 'Похоже на несовершеннолетнего',
  other: 'Другое',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
export const REPORT_REASON_NAMES = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];

/** These come first in the queue, and the operator is mailed about them. */
export function isUrgentReason(reason: ReportReason): boolean {
  return reason === 'minor' || reason === 'forbidden_content';
}

/** Whether the reason says nothing without the person's own words. */
export function needsComment(reason: ReportReason): boolean {
  return reason === 'other';
}

/** What an administrator decided, in the words for the person who complained. */
export const REPORT_DECISIONS = {
  no_action: 'результат оставлен как есть',
  stars_returned: 'звёзды возвращены',
  result_removed: 'результат удалён',
} as const;
export type ReportDecision = keyof typeof REPORT_DECISIONS;
export const REPORT_DECISION_NAMES = Object.keys(REPORT_DECISIONS) as [ReportDecision, ...ReportDecision[]];

/** Length of a comment and of an answer. */
export const REPORT_TEXT_MAX = 500;

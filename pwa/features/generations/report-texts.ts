import type { ReportState } from '#shared/contract/report-state.ts';
import { REPORT_DECISIONS } from '#shared/rules/result-reports.ts';

export const REPORT_TEXTS = {
  complain: 'Пожаловаться',
  sent: 'Жалоба отправлена',
  sentHint: 'Администратор посмотрит результат. Решение появится здесь же.',
  title: 'Что не так с результатом?',
  hint: 'Жалобу прочитает администратор. За испорченный результат он может вернуть звёзды.',
  comment: 'Комментарий',
  commentHint: 'По желанию',
  commentNeeded: 'Опишите, что не так',
  reasonNeeded: 'Выберите, что не так',
  send: 'Отправить',
  sending: 'Отправляем…',
  failed: 'Не удалось отправить жалобу. Попробуйте ещё раз',
  answer: 'Ответ администратора',
  again: 'Пожаловаться ещё раз',
} as const;

/** «Жалоба отправлена», «Жалоба рассмотрена: звёзды возвращены» */
export function describeReport({ decision }: ReportState): string {
  return decision === null ? REPORT_TEXTS.sent : `Жалоба рассмотрена: ${REPORT_DECISIONS[decision]}`;
}

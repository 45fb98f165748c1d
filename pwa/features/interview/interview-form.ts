import { INTERVIEW_FIELDS_REQUIRED, requestInterview } from '#shared/contract/interview.ts';
import { pluralize, STAR_FORMS } from '#shared/rules/plurals.ts';
import { INTERVIEW_BONUS_STARS } from '#shared/rules/prices.ts';

export interface InterviewForm {
  name: string;
  email: string;
  telegram: string;
}
export type InterviewField = keyof InterviewForm;

/**
 * Reads the form: the trimmed request body, or an error for each invalid field. `complaint` is the first error, for a
 * toast.
 */
export function readInterviewForm(
  typed: InterviewForm,
): { body: InterviewForm } | { faults: Partial<Record<InterviewField, string>>; complaint: string } {
  const parsed = requestInterview.body.safeParse(typed);
  if (parsed.success) return { body: parsed.data };
  const faults: Partial<Record<InterviewField, string>> = {};
  for (const { path, message } of parsed.error.issues) {
    const [field] = path;
    if (field === 'name' || field === 'email' || field === 'telegram') faults[field] ??= message;
  }
  const isEmpty = (['name', 'email', 'telegram'] as const).filter((field) => typed[field].trim() === '');
  for (const field of isEmpty) faults[field] = INTERVIEW_TEXTS.fieldRequired;
  return {
    faults,
    complaint: isEmpty.length > 0 ? INTERVIEW_FIELDS_REQUIRED : (parsed.error.issues[0]?.message ?? ''),
  };
}

export const INTERVIEW_TEXTS = {
  fieldRequired: 'Заполните поле',
  failed: 'Не удалось отправить заявку. Попробуйте позже.',
  sent: 'Заявка отправлена! 🎉',
  sentText: `Мы\u00a0напишем вам и\u00a0договоримся о\u00a0времени. ${INTERVIEW_BONUS_STARS} ${pluralize(INTERVIEW_BONUS_STARS, STAR_FORMS)} будут начислены после интервью.`,
} as const;

import { requestInterview } from '#shared/contract/interview.ts';
import { pluralize, STAR_FORMS } from '#shared/rules/plurals.ts';
import { INTERVIEW_BONUS_STARS } from '#shared/rules/prices.ts';

export interface InterviewForm {
  name: string;
  email: string;
  telegram: string;
}
export type InterviewField = keyof InterviewForm;

export interface InterviewFaults {
  /** Errors shown by one toast. */
  empty: readonly InterviewField[];
  /** What else is wrong with the e-mail, shown at its field. */
  email: string | undefined;
}

/** Reads the form: the trimmed request body, or what is wrong with the fields. */
export function readInterviewForm(typed: InterviewForm): { body: InterviewForm } | { faults: InterviewFaults } {
  const parsed = requestInterview.body.safeParse(typed);
  if (parsed.success) return { body: parsed.data };
  const empty = (['name', 'email', 'telegram'] as const).filter((field) => typed[field].trim() === '');
  const email = parsed.error.issues.find(({ path }) => path[0] === 'email')?.message;
  return { faults: { empty, email: empty.includes('email') ? undefined : email } };
}

export const INTERVIEW_TEXTS = {
  failed: 'Не удалось отправить заявку. Попробуйте позже.',
  sent: 'Заявка отправлена! 🎉',
  sentText: `Мы\u00a0напишем вам и\u00a0договоримся о\u00a0времени. ${INTERVIEW_BONUS_STARS} ${pluralize(INTERVIEW_BONUS_STARS, STAR_FORMS)} будут начислены после интервью.`,
} as const;

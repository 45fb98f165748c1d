import { expect, test } from 'vitest';
import { INTERVIEW_TEXTS, readInterviewForm } from '#pwa/features/interview/interview-form.ts';

const FULL = { name: 'Анна', email: 'anna@example.com', telegram: '@anna' };

test('a full form is sent trimmed', () => {
  expect(readInterviewForm({ ...FULL, telegram: ' t.me/anna ' })).toEqual({ body: { ...FULL, telegram: 't.me/anna' } });
});

test.each(['name', 'email', 'telegram'] as const)('blanks for %s are an empty field and nothing else', (field) => {
  expect(readInterviewForm({ ...FULL, [field]: '  ' })).toEqual({ faults: { empty: [field], email: undefined } });
});

test('an e-mail that is none is said to be one', () => {
  expect(readInterviewForm({ ...FULL, email: 'anna' })).toEqual({
    faults: { empty: [], email: 'Некорректный email' },
  });
});

test('the answers are the specification’s', () => {
  expect(INTERVIEW_TEXTS.failed).toBe('Не удалось отправить заявку. Попробуйте позже.');
  expect(INTERVIEW_TEXTS.sent).toBe('Заявка отправлена! 🎉');
  expect(INTERVIEW_TEXTS.sentText).toContain('10 звёзд будут начислены после интервью.');
});

import { expect, test } from 'vitest';
import { readInterviewForm } from '#pwa/features/interview/interview-form.ts';

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

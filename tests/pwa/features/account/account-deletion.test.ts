import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AccountDeletion, describeDeletion } from '#pwa/features/account/account-deletion.tsx';
import type { User } from '#shared/contract/account.ts';

const staying: User = {
  id: 1000,
  email: 'anna@example.com',
  username: 'anna',
  firstName: null,
  lastName: null,
  isEmailVerified: true,
  isAdmin: false,
  consentVersion: null,
  transferConsentVersion: null,
  erasesAt: null,
};
const leaving = { ...staying, erasesAt: '2026-12-21T09:00:00.000Z' };

function render(user: User): string {
  const section = createElement(AccountDeletion, { user });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, section));
}

test('an account that stays can be deleted, one that goes can be kept', () => {
  expect(render(staying)).toContain('Удалить аккаунт');
  expect(render(staying)).not.toContain('Отменить удаление');
  expect(render(leaving)).toContain('Отменить удаление');
  expect(render(leaving)).not.toContain('Удалить аккаунт');
});

test('the section says what to do first, and afterwards when it will be', () => {
  expect(describeDeletion(staying)).toMatch(/через 30 дней.*Сначала скачайте свои данные\.$/);
  expect(describeDeletion(leaving)).toMatch(/^Аккаунт будет удалён 21 декабря 2026.г\. До этого дня/);
});

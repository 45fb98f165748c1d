import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { RegisterError } from '#pwa/features/account/register-form.tsx';
import { ApiError } from '#pwa/lib/api-error.ts';
import { ERRORS } from '#shared/contract/errors.ts';

function render(error: Error): string {
  const note = createElement(RegisterError, { error, onSignIn: () => undefined });
  return renderToStaticMarkup(createElement(MemoryRouter, null, note));
}

it('a taken address is explained in the server’s words, with the ways into its account', () => {
  const { message } = ERRORS.email_taken;
  const html = render(new ApiError(409, 'x', { code: 'email_taken', message }));
  expect(html.replace(/<[^>]+>/g, '').trim()).toBe(message);
  expect(html).toMatch(/<button[^>]*>Войдите<\/button>/);
  expect(html).toMatch(/<a[^>]*href="\/auth\/reset"[^>]*>восстановите пароль<\/a>/);
});

it('any other failure has its own words', () => {
  const html = render(new ApiError(429, 'x', { code: 'too_many_requests', message: 'Подождите' }));
  expect(html).toContain('Подождите');
  expect(html).not.toContain('href');
});

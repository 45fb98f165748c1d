import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { nameTelegramPerson } from '#pwa/features/telegram/name-telegram-person.ts';
import { TelegramSettings } from '#pwa/features/telegram/telegram-settings.tsx';
import type { TelegramState } from '#shared/contract/telegram.ts';

/** The state that the section shows; null while it is unknown. */
function render(state: TelegramState | null): string {
  const client = new QueryClient();
  if (state) client.setQueryData(['telegram'], state);
  const section = createElement(QueryClientProvider, { client }, createElement(TelegramSettings));
  return renderToStaticMarkup(section).replaceAll('\u00a0', ' ');
}

const link = { username: 'anna', firstName: 'Анна', tellsResults: true };

describe('the section about Telegram', () => {
  test('offers to link where there is a bot, and says so where there is none', () => {
    expect(render({ botUsername: 'podium_bot', link: null })).toContain('Связать Telegram');
    const off = render({ botUsername: null, link: null });
    expect(off).toContain('Бот сейчас не подключён');
    expect(off).not.toContain('<button');
  });

  test('can part from a bot that is off by now', () => {
    expect(render({ botUsername: null, link })).toContain('Разорвать связь с Telegram');
  });

  test('promises nothing while it is not known', () => {
    expect(render(null)).not.toMatch(/Связать|Разорвать|не подключён/);
  });
});

test.each([
  [{ username: 'anna', firstName: 'Анна' }, '@anna (Анна)'],
  [{ username: null, firstName: 'Анна' }, '«Анна» без имени @'],
  [{ username: null, firstName: '' }, 'Telegram без имени @'],
])('%j is named %s', (user, name) => expect(nameTelegramPerson(user)).toBe(name));

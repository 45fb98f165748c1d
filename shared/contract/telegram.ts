import * as z from 'zod/mini';
import { ownPassword } from './account.ts';
import { defineEndpoint } from './endpoint.ts';

/** Query parameter with which the bot passes a token to the settings page. */
export const TELEGRAM_LINK_PARAMETER = 'telegram';

const token = z.string().check(z.regex(/^[\w-]{22}$/, 'Ссылка неполная. Создайте новую'));
const person = z.object({
  username: z.nullable(z.string()),
  firstName: z.string(),
});
export type TelegramPerson = z.infer<typeof person>;

export const telegramState = z.object({
  /** Name of the bot, without «@». Null when there is no bot. */
  botUsername: z.nullable(z.string()),
  link: z.nullable(z.extend(person, { tellsResults: z.boolean() })),
});
export type TelegramState = z.infer<typeof telegramState>;

export const getTelegram = defineEndpoint({
  method: 'GET',
  path: '/api/telegram',
  summary: 'The bot, and the person of Telegram that the account is linked with',
  access: 'account',
  answer: telegramState,
});
/** The account's password: whoever only has its session must not give a chat access for ever. */
export const createTelegramLinkBody = z.object({ password: ownPassword });
export const createTelegramLink = defineEndpoint({
  method: 'POST',
  path: '/api/telegram/link-address',
  summary: 'An address that opens the bot and links it, once and for ten minutes',
  access: 'verified',
  body: createTelegramLinkBody,
  answer: z.object({ address: z.url(), expiresAt: z.iso.datetime() }),
  errors: ['wrong_password', 'telegram_off', 'account_has_telegram', 'too_many_requests'],
});
export const previewTelegramLink = defineEndpoint({
  method: 'POST',
  path: '/api/telegram/link-preview',
  summary: 'Whose Telegram a token of the bot would link',
  access: 'account',
  body: z.object({ token }),
  answer: person,
  errors: ['link_token_invalid', 'too_many_requests'],
});
export const linkTelegram = defineEndpoint({
  method: 'POST',
  path: '/api/telegram/link',
  summary: 'Links the person of Telegram who made the token; stars and results of the bot move to the account',
  access: 'verified',
  body: z.extend(createTelegramLinkBody, { token }),
  answer: telegramState,
  errors: [
    'wrong_password',
    'link_token_invalid',
    'telegram_has_account',
    'account_has_telegram',
    'deletion_asked',
    'too_many_requests',
  ],
});
export const changeTelegram = defineEndpoint({
  method: 'PATCH',
  path: '/api/telegram',
  summary: 'Whether results are sent to the chat',
  access: 'account',
  body: z.object({ tellsResults: z.boolean() }),
  answer: telegramState,
});
export const unlinkTelegram = defineEndpoint({
  method: 'DELETE',
  path: '/api/telegram',
  summary: 'Parts the account from Telegram; everything stays with the account',
  access: 'account',
  answer: telegramState,
});
/** Query parameter of the page that the mail about a linked chat leads to. */
export const PARTING_PARAMETER = 'token';
export const partChatByLink = defineEndpoint({
  method: 'POST',
  path: '/api/telegram/part',
  summary: 'Parts the chat that a mail told of from its account, once and within seven days; needs no session',
  access: 'public',
  body: z.object({ token: z.string().check(z.maxLength(200)) }),
  errors: ['parting_link_invalid', 'too_many_requests'],
});

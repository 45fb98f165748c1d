import * as z from 'zod/mini';
import { code, email, keepsChats, newPassword, ownPassword, USERNAME_MAX_LENGTH, user } from './account.ts';
import { defineEndpoint } from './endpoint.ts';
import { lineOfText } from './ids.ts';

export const changeNameBody = z.object({
  username: lineOfText(USERNAME_MAX_LENGTH, {
    missing: 'Введите имя',
    tooLong: `Имя должно быть не длиннее ${USERNAME_MAX_LENGTH} символов`,
    unprintable: 'В имени есть недопустимые символы',
  }),
});
export const changePasswordBody = z.object({ currentPassword: ownPassword, newPassword, keepsChats });
export const changeEmailBody = z.object({ email, currentPassword: ownPassword });

export const changeName = defineEndpoint({
  method: 'PATCH',
  path: '/api/account/name',
  summary: 'Changes the shown name',
  access: 'account',
  body: changeNameBody,
  answer: user,
  errors: ['too_many_requests'],
});
export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/account/password',
  summary: 'Sets a new password, ends every other session and parts chats',
  access: 'account',
  body: changePasswordBody,
  errors: ['password_common', 'password_short', 'wrong_password', 'too_many_requests'],
});

export const askEmailChange = defineEndpoint({
  method: 'POST',
  path: '/api/account/email',
  summary: 'Mails a code to the address that the account is to have',
  access: 'verified',
  body: changeEmailBody,
  errors: ['wrong_password', 'email_taken', 'code_requested_too_soon', 'too_many_requests', 'mail_not_sent'],
});
export const confirmEmailChange = defineEndpoint({
  method: 'POST',
  path: '/api/account/email/confirm',
  summary: 'Gives the account the address that the code was mailed to, and ends every other session',
  access: 'verified',
  body: z.object({ code }),
  answer: user,
  errors: ['invalid_code', 'code_expired', 'email_taken', 'too_many_requests'],
});

export const accountSession = z.object({
  id: z.uuid(),
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  /** Accurate to an hour. */
  lastSeenAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

/** A chat with the bot that has access to the account. */
export const accountChat = z.object({
  /** Without «@». Null for a person who has none. */
  username: z.nullable(z.string()),
  firstName: z.string(),
  linkedAt: z.iso.datetime(),
});
export type AccountChat = z.infer<typeof accountChat>;

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/account/sessions',
  summary:
    'Where the account is signed in, the caller’s own session first, then the last used; and chats with access to it',
  access: 'account',
  answer: z.object({ sessions: z.array(accountSession), chats: z.array(accountChat) }),
});
export const endOneSession = defineEndpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  summary: 'Signs one session out',
  access: 'account',
  params: z.object({ id: z.uuid() }),
  errors: ['session_not_found', 'session_forbidden'],
});
export const endOtherSessions = defineEndpoint({
  method: 'DELETE',
  path: '/api/account/sessions',
  summary: 'Signs out everywhere but here and parts chats',
  access: 'account',
});

export const notificationSettings = z.object({
  /** Whether a mail announces a result when nothing else can. */
  mailsResults: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;
export const getNotificationSettings = defineEndpoint({
  method: 'GET',
  path: '/api/account/notifications',
  summary: 'What the account is told of, and how',
  access: 'account',
  answer: notificationSettings,
});
export const changeNotificationSettings = defineEndpoint({
  method: 'PATCH',
  path: '/api/account/notifications',
  summary: 'Changes what the account is told of; fields that are left out stay as they are',
  access: 'account',
  body: z.partial(notificationSettings),
  answer: notificationSettings,
  errors: ['too_many_requests'],
});

export const exportAccount = defineEndpoint({
  method: 'GET',
  path: '/api/account/export',
  summary: 'Everything that is kept about the account, as a ZIP of JSON and files',
  access: 'account',
  errors: ['too_many_requests'],
});

export const askDeletionBody = z.object({
  password: ownPassword,
});
export const requestDeletion = defineEndpoint({
  method: 'POST',
  path: '/api/account/deletion',
  summary: 'Asks for the account to be deleted in 30 days and ends every other session; asking again changes nothing',
  access: 'account',
  body: askDeletionBody,
  answer: user,
  errors: ['wrong_password', 'too_many_requests'],
});
export const cancelDeletion = defineEndpoint({
  method: 'DELETE',
  path: '/api/account/deletion',
  summary: 'Takes the wish to delete the account back; harmless without one',
  access: 'account',
  answer: user,
});

import * as z from 'zod/mini';
import { CONSENT_KINDS, DOCUMENTS_VERSION_MAX_LENGTH } from '#shared/rules/legal-documents.ts';
import { EMAIL_ADDRESS } from '#shared/rules/outside-text.ts';
import { defineEndpoint } from './endpoint.ts';

export const PASSWORD_MIN_LENGTH = 6;
/** More than others need, because an administrator's password opens everybody's payments. */
export const ADMIN_PASSWORD_MIN_LENGTH = 8;
/** Argon2 reads the whole password. The limit keeps one request from taking seconds. */
export const PASSWORD_MAX_LENGTH = 200;
export const VERIFICATION_CODE_LENGTH = 6;

export const ACCOUNT_TEXTS = {
  emailEmpty: 'Заполните email',
  emailInvalid: 'Некорректный email',
  passwordEmpty: 'Введите пароль',
  passwordShort: `Пароль должен быть не менее ${PASSWORD_MIN_LENGTH} символов`,
  passwordLong: `Пароль должен быть не длиннее ${PASSWORD_MAX_LENGTH} символов`,
  policyNotAccepted: 'Необходимо согласиться с политикой конфиденциальности',
  codeIncomplete: 'Введите полный код подтверждения',
  consentOutdated: 'Документы обновились. Обновите страницу, прочитайте их и зарегистрируйтесь',
  newConsentOutdated: 'Документы обновились ещё раз. Обновите страницу и прочитайте их',
} as const;

export const email = z.pipe(
  z
    .string(ACCOUNT_TEXTS.emailEmpty)
    .check(z.trim(), z.minLength(1, ACCOUNT_TEXTS.emailEmpty), z.maxLength(254, ACCOUNT_TEXTS.emailInvalid)),
  z.email({ pattern: EMAIL_ADDRESS, error: ACCOUNT_TEXTS.emailInvalid }),
);
export const USERNAME_MAX_LENGTH = 60;

export const newPassword = z
  .string(ACCOUNT_TEXTS.passwordShort)
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, ACCOUNT_TEXTS.passwordShort),
    z.maxLength(PASSWORD_MAX_LENGTH, ACCOUNT_TEXTS.passwordLong),
  );
/** An existing password, whatever its length. */
export const ownPassword = z
  .string(ACCOUNT_TEXTS.passwordEmpty)
  .check(z.minLength(1, ACCOUNT_TEXTS.passwordEmpty), z.maxLength(PASSWORD_MAX_LENGTH, ACCOUNT_TEXTS.passwordLong));
/** Six letters or digits. Case and surrounding blanks are ignored. */
export const code = z
  .string(ACCOUNT_TEXTS.codeIncomplete)
  .check(z.trim(), z.toUpperCase(), z.length(VERIFICATION_CODE_LENGTH, ACCOUNT_TEXTS.codeIncomplete));

function versionText(complaint: string) {
  return z.string(complaint).check(z.maxLength(DOCUMENTS_VERSION_MAX_LENGTH, complaint));
}

/** Whether chats stay linked with the account at a new password. Left out, they are parted. */
export const keepsChats = z.optional(z.boolean());

export const user = z.object({
  id: z.int(),
  email: z.string(),
  username: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  isEmailVerified: z.boolean(),
  isAdmin: z.boolean(),
  /** Present when an operator's command printed the password. A new one should be set. */
  hasPrintedPassword: z.optional(z.literal(true)),
  /** Version of the documents that the person consented to. Null when none was stored. */
  consentVersion: z.nullable(z.string()),
  /** Version of the consent to the transfer of photos abroad. Null when it was not given or was withdrawn. */
  transferConsentVersion: z.nullable(z.string()),
  erasesAt: z.nullable(z.iso.datetime()),
});
export type User = z.infer<typeof user>;

export const confirmedUser = z.extend(user, {
  /** Why the confirmation brought no sign-up stars. Left out when it did, or when there was nothing to confirm. */
  signupStarsRefused: z.optional(z.enum(['mailbox', 'network'])),
});
export type ConfirmedUser = z.infer<typeof confirmedUser>;
export type SignupStarsRefusal = NonNullable<ConfirmedUser['signupStarsRefused']>;

export const loginBody = z.object({
  email,
  password: ownPassword,
});
export const registerBody = z.object({
  email,
  password: newPassword,
  /** Version of the documents that the person consented to. It must be the one in force. */
  consentVersion: z.optional(versionText(ACCOUNT_TEXTS.consentOutdated)),
});

export const getUser = defineEndpoint({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'The signed-in user',
  access: 'account',
  answer: user,
});
export const login = defineEndpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Signs in',
  access: 'public',
  body: loginBody,
  answer: user,
  errors: ['invalid_credentials', 'too_many_requests'],
});
export const register = defineEndpoint({
  method: 'POST',
  path: '/api/register',
  summary: 'Creates an account, signs in and mails a verification code',
  access: 'public',
  body: registerBody,
  answer: z.extend(user, {
    needEmailVerification: z.boolean(),
    codeWasSent: z.boolean(),
  }),
  errors: ['password_common', 'email_taken', 'too_many_requests', 'mail_not_sent'],
});
const consent = z.object({
  inForce: z.string(),
  /** What the person has agreed to. Null for nothing. */
  agreed: z.nullable(z.object({ version: z.string(), at: z.iso.datetime() })),
});
const accountConsents = z.object({
  /** To the policy, the terms and the processing of personal data. It is withdrawn by deleting the account. */
  documents: consent,
  transfer: z.extend(consent, {
    /** Whether a tool of this installation takes photos abroad. */
    isNeeded: z.boolean(),
  }),
});
export type AccountConsents = z.infer<typeof accountConsents>;

export const listConsents = defineEndpoint({
  method: 'GET',
  path: '/api/account/consents',
  summary: 'What the account has consented to, and when',
  access: 'account',
  answer: accountConsents,
});
export const giveConsent = defineEndpoint({
  method: 'POST',
  path: '/api/account/consents',
  summary: 'Stores a consent to the version that is in force; a repeat changes nothing',
  access: 'account',
  body: z.object({ kind: z.enum(CONSENT_KINDS), version: versionText(ACCOUNT_TEXTS.newConsentOutdated) }),
  answer: user,
});
export const withdrawTransferConsent = defineEndpoint({
  method: 'DELETE',
  path: '/api/account/consents/transfer',
  summary: 'Withdraws the consent to the transfer of photos abroad; a repeat changes nothing',
  access: 'account',
  answer: user,
});
export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/logout',
  summary: 'Revokes the session; harmless without one',
  access: 'public',
  errors: ['session_replaced'],
});
export const sessionError = defineEndpoint({
  method: 'GET',
  path: '/api/session-error',
  summary: 'Expires the session cookie after a 401; idempotent',
  access: 'public',
});
export const resendVerification = defineEndpoint({
  method: 'POST',
  path: '/api/resend-verification',
  summary: 'Mails a new verification code',
  access: 'account',
  errors: ['already_verified', 'code_requested_too_soon', 'too_many_requests', 'mail_not_sent'],
});
/** Lets the page count down to the next code, even if another page requested the last one. */
export const getVerificationWait = defineEndpoint({
  method: 'GET',
  path: '/api/resend-verification',
  summary: 'Seconds until another verification code may be asked for; 0 when it may be asked for now',
  access: 'account',
  answer: z.object({ retryAfter: z.int().check(z.nonnegative()) }),
});
export const correctEmail = defineEndpoint({
  method: 'POST',
  path: '/api/correct-email',
  summary: 'Gives an account that has not confirmed its e-mail another one and mails a code there',
  access: 'account',
  body: z.object({ email }),
  answer: user,
  errors: ['already_verified', 'email_taken', 'code_requested_too_soon', 'too_many_requests', 'mail_not_sent'],
});
export const verifyEmail = defineEndpoint({
  method: 'POST',
  path: '/api/verify-email',
  summary: 'Confirms the e-mail and grants the sign-up stars once',
  access: 'account',
  body: z.object({ verificationCode: code }),
  answer: confirmedUser,
  errors: ['invalid_code', 'code_expired', 'too_many_requests'],
});
export const requestPasswordReset = defineEndpoint({
  method: 'POST',
  path: '/api/password-reset/request',
  summary: 'Mails a reset code if the account exists; the answer is the same if it does not',
  access: 'public',
  body: z.object({ email }),
  errors: ['code_requested_too_soon', 'too_many_requests', 'mail_not_sent'],
});
export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/password-reset',
  summary: 'Sets a new password by a mailed code, ends all other sessions, parts chats and signs in',
  access: 'public',
  body: z.object({ email, code, password: newPassword, keepsChats }),
  answer: confirmedUser,
  errors: ['password_common', 'password_short', 'invalid_code', 'too_many_requests'],
});
export const getPremiumStatus = defineEndpoint({
  method: 'GET',
  path: '/api/user/premium-status',
  summary: 'Whether the account has ever paid',
  access: 'account',
  answer: z.object({
    isPremium: z.boolean(),
    hasSuccessfulTransactions: z.boolean(),
    transactionCount: z.int(),
  }),
});

import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { Email } from 'postal-mime';
import { nameSessionCookie } from '#api/plugins/session-cookie.ts';
import { createOrRenewAdmin } from '#api/services/accounts/accounts.ts';
import { proveConsent } from '#api/services/accounts/consent.ts';
import { emailKeyOf, localPartOf, toStoredEmail } from '#api/services/accounts/email-address.ts';
import { markEmailVerified } from '#api/services/accounts/email-verification.ts';
import { hashPassword } from '#api/services/accounts/passwords.ts';
import { makeTotpSecret, sealSecret } from '#api/services/accounts/second-factor.ts';
import { presentAccount, startSession } from '#api/services/accounts/sessions.ts';
import type { User } from '#shared/contract/account.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { encodeFileForm } from './forms.ts';
import { findCode, readMailsTo } from './outbox.ts';
import type { TestApp } from './test-app.ts';

export const PASSWORD = 'secret-password';

export interface TestUser {
  email: string;
  password: string;
  /** The Cookie header of this person's session. */
  cookie: string;
  account: User;
}

let addresses = 0;

/** Returns a new IP address at each call, so that tests do not share limits by address. */
export function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** The session cookie that an answer sets, as a Cookie header; empty when it sets none. */
export function sessionCookieOf(response: LightMyRequestResponse): string {
  const cookie = response.cookies.find(({ name }) => /^(__Host-)?podium_session$/.test(name));
  return cookie?.value ? `${cookie.name}=${cookie.value}` : '';
}

/** Registers through the API, without a confirmed e-mail. */
export async function registerUnverified(
  { server }: Pick<TestApp, 'server'>,
  options: { email?: string; password?: string; consentVersion?: string | null } = {},
): Promise<TestUser> {
  const { email = newEmail(), password = PASSWORD, consentVersion = DOCUMENTS_VERSION } = options;
  const response = await server.inject({
    method: 'POST',
    url: '/api/register',
    remoteAddress: nextAddress(),
    payload: { email, password, ...(consentVersion === null ? {} : { consentVersion }) },
  });
  if (response.statusCode !== 200) throw new Error(`registration answered ${response.statusCode}: ${response.body}`);
  return { email, password, cookie: sessionCookieOf(response), account: response.json() };
}

/**
 * An account with a confirmed e-mail, its sign-up stars and a session, as registration and confirmation leave them, but
 * without their calls, code and mail, and without an address of its caller: nearly every test needs one.
 */
export async function registerVerified(
  { app }: Pick<TestApp, 'app'>,
  options: { email?: string; password?: string; consentVersion?: string | null } = {},
): Promise<TestUser> {
  const { email = newEmail(), password = PASSWORD, consentVersion = DOCUMENTS_VERSION } = options;
  const data = {
    email: toStoredEmail(email),
    emailKey: emailKeyOf(email),
    username: localPartOf(email),
    passwordHash: await hashPassword(app, password),
    ...proveConsent(consentVersion),
  };
  const { account, session } = await app.db.$transaction(async (tx) => {
    const { id } = await tx.account.create({ data });
    await markEmailVerified(tx, app.config, { accountId: id, address: null });
    const session = await startSession(tx, id, { userAgent: 'lightMyRequest', sessionToken: null });
    return { account: await tx.account.findUniqueOrThrow({ where: { id } }), session };
  });
  const cookie = `${nameSessionCookie(app)}=${session.token}`;
  return { email, password, cookie, account: presentAccount(app, account) };
}

/** The same with all calls and mails, for tests that look at what those leave behind. */
export async function registerAndConfirm(
  testApp: Pick<TestApp, 'server' | 'outboxFolder'>,
  options: { email?: string; password?: string } = {},
): Promise<TestUser> {
  const user = await registerUnverified(testApp, options);
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/api/verify-email',
    headers: { cookie: user.cookie },
    remoteAddress: nextAddress(),
    payload: { verificationCode: await readCode(testApp, user.email) },
  });
  if (response.statusCode !== 200) throw new Error(`verification answered ${response.statusCode}: ${response.body}`);
  return { ...user, cookie: sessionCookieOf(response), account: response.json() };
}

/** Signs in from an address of its own. `headers`: of the browser. */
export function logIn(
  { server }: Pick<TestApp, 'server'>,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const payload = { email, password };
  return server.inject({ method: 'POST', url: '/api/login', headers, remoteAddress: nextAddress(), payload });
}

/** Uploads a photo through the API. */
export async function uploadPhoto(
  { server }: Pick<TestApp, 'server'>,
  { cookie }: Pick<TestUser, 'cookie'>,
  content: Uint8Array,
): Promise<LightMyRequestResponse> {
  const { body, headers } = await encodeFileForm('image', { content, name: 'photo.jpg', type: 'image/jpeg' });
  return server.inject({ method: 'POST', url: '/api/upload', payload: body, headers: { ...headers, cookie } });
}

/** Mails to one address, oldest first. */
export async function readMails({ outboxFolder }: Pick<TestApp, 'outboxFolder'>, email: string): Promise<Email[]> {
  return readMailsTo(outboxFolder, email);
}

/** The code of the newest mail to an address: the first token that looks like one. */
export async function readCode(testApp: Pick<TestApp, 'outboxFolder'>, email: string): Promise<string> {
  const code = findCode((await readMails(testApp, email)).at(-1));
  if (!code) throw new Error(`no code was mailed to ${email}`);
  return code;
}

/** Creates an administrator with the operator's command and signs in with the printed password. */
export async function createPrintedAdmin({ app, server }: Pick<TestApp, 'app' | 'server'>): Promise<TestUser> {
  const email = newEmail();
  const { password } = await createOrRenewAdmin(app, email);
  const response = await logIn({ server }, { email, password });
  return { email, password, cookie: sessionCookieOf(response), account: response.json() };
}

/**
 * Creates the administrator of the operator's command, with a password of their own and a session that is confirmed by
 * a second factor. A second call renews the same account and ends its sessions: `makeAdmin` makes others.
 */
export async function createAdmin(testApp: Pick<TestApp, 'app' | 'server'>): Promise<TestUser> {
  const printed = await createPrintedAdmin(testApp);
  const { hasPrintedPassword: _, ...account } = printed.account;
  await makeAdmin(testApp, account.id);
  return { ...printed, account };
}

/** Makes an account an administrator, whose sessions so far are confirmed by a second factor. */
export async function makeAdmin({ app }: Pick<TestApp, 'app'>, accountId: number): Promise<void> {
  await app.db.account.update({ where: { id: accountId }, data: { isAdmin: true, hasPrintedPassword: false } });
  const secret = sealSecret(app.config.sessionSecret, accountId, makeTotpSecret());
  await app.db.secondFactor.create({ data: { accountId, secret, confirmedAt: new Date() } });
  await app.db.session.updateMany({ where: { accountId }, data: { confirmedAt: new Date() } });
}

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import {
  expireSessionCookie,
  readBrowser,
  readOwnCookie,
  readSessionToken,
  setOwnCookie,
  setSessionCookie,
  setSignInCookies,
} from '#api/plugins/session-cookie.ts';
import { logIn, logOut, registerAccount } from '#api/services/accounts/accounts.ts';
import { giveConsent, readConsents, withdrawTransferConsent } from '#api/services/accounts/consent.ts';
import { correctEmail } from '#api/services/accounts/email-change.ts';
import { CODE_LIFETIME_MS, getCodeWait } from '#api/services/accounts/email-codes.ts';
import { resendVerificationCode, verifyEmail } from '#api/services/accounts/email-verification.ts';
import { assertMailTaken } from '#api/services/accounts/mail-check.ts';
import { requestPasswordReset, resetPassword } from '#api/services/accounts/password-reset.ts';
import { endSession, wasJustReplaced } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import * as contract from '#shared/contract/account.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Makes known again who asked for a reset code, so that everybody has tries of their own. */
const HANDLE_COOKIE = 'podium_reset';
const HANDLE_BYTES = 24;
const HANDLE_SHAPE = /^[\w-]{32}$/;
/** Longer than the codes, so that one that is asked for late still finds it. */
const HANDLE_LIFETIME_MS = 2 * CODE_LIFETIME_MS;

/** Registration, sign-in, sessions, mailed codes, and what an account may see of itself. */
export function addAccountRoutes(server: FastifyInstance, app: AppContext): void {
  addSessionRoutes(server, app);
  addVerificationRoutes(server, app);
  addPasswordResetRoutes(server, app);
  bindEndpoint(server, contract.getUser, async ({ account }) => account);
  bindEndpoint(server, contract.listConsents, ({ account }) => readConsents(app, account.id));
  bindEndpoint(server, contract.giveConsent, ({ account, body }) => giveConsent(app, account.id, body));
  bindEndpoint(server, contract.withdrawTransferConsent, ({ account }) => withdrawTransferConsent(app, account.id));
  bindEndpoint(server, contract.getPremiumStatus, async ({ account }) => account.premium);
}

function addSessionRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    contract.register,
    async ({ body: { consentVersion = null, ...body }, request, reply }) => {
      const browser = readBrowser(app, request);
      const registered = await registerAccount(app, { ...body, consentVersion, browser });
      setSignInCookies(app, { request, reply }, registered);
      const { account, codeWasSent } = registered;
      return { ...account, needEmailVerification: !account.isEmailVerified, codeWasSent };
    },
    { limit: REQUEST_LIMITS.newAddress, beforeCount: () => assertMailTaken(app) },
  );
  bindEndpoint(
    server,
    contract.login,
    async ({ body, request, reply }) => {
      const signedIn = await logIn(app, { ...body, browser: readBrowser(app, request) });
      setSignInCookies(app, { request, reply }, signedIn);
      return signedIn.account;
    },
    { limit: REQUEST_LIMITS.signIn },
  );
  bindEndpoint(server, contract.logout, async ({ account, request, reply }) => {
    const token = readSessionToken(app, request);
    if (token) await logOut(app, { token, accountId: account?.id ?? null });
    // Confirms nothing: this browser has another session now, and its cookie must stay.
    if (token && (await wasJustReplaced(app, token))) throw new AppError('session_replaced');
    expireSessionCookie(reply, app);
    // Answers that the browser has kept. The app removes what it has stored itself; more would remove the offline pages
    // and what other people of this device have stored.
    reply.header('clear-site-data', '"cache"');
  });
  bindEndpoint(
    server,
    contract.sessionError,
    async ({ request, reply }) => {
      const token = readSessionToken(app, request);
      if (token) await endSession(app.db, token);
      const isLate = token !== null && (await wasJustReplaced(app, token));
      if (!isLate) expireSessionCookie(reply, app);
    },
    // A GET that ends a session. A link on another site must not sign anybody out.
    { originCheck: 'always' },
  );
}

function addVerificationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, contract.resendVerification, ({ account }) => resendVerificationCode(app, account.id));
  bindEndpoint(server, contract.getVerificationWait, async ({ account }) => ({
    retryAfter: await getCodeWait(app.db, { accountId: account.id, purpose: 'verify_email' }),
  }));
  bindEndpoint(
    server,
    contract.correctEmail,
    ({ account, body: { email } }) => correctEmail(app, { accountId: account.id, email }),
    // The answer reveals a taken address, as a registration does, so it has the same limit.
    { limit: REQUEST_LIMITS.newAddress },
  );
  bindEndpoint(
    server,
    contract.verifyEmail,
    async ({ account: { id }, body, request, reply }) => {
      const { account, session } = await verifyEmail(app, {
        accountId: id,
        code: body.verificationCode,
        browser: readBrowser(app, request),
      });
      if (session) setSessionCookie(reply, app, session.token);
      return account;
    },
    { limit: REQUEST_LIMITS.code },
  );
}

function addPasswordResetRoutes(server: FastifyInstance, app: AppContext): void {
  const mailsInProgress = new Set<Promise<void>>();
  server.addHook('onClose', async () => {
    await Promise.all(mailsInProgress);
  });
  bindEndpoint(
    server,
    contract.requestPasswordReset,
    async ({ body, request, reply }) => {
      const handle = readHandle(app, request) ?? randomBytes(HANDLE_BYTES).toString('base64url');
      const send = await requestPasswordReset(app, { ...body, handle, browser: readBrowser(app, request) });
      // Not awaited, so that the time of the answer does not reveal whether the account exists.
      const mail = send().finally(() => mailsInProgress.delete(mail));
      mailsInProgress.add(mail);
      setOwnCookie(reply, app, { name: HANDLE_COOKIE, value: handle, lifetimeMs: HANDLE_LIFETIME_MS });
    },
    // While no mail can be sent, the answer must not promise one, and nobody's requests are used up.
    { limit: REQUEST_LIMITS.reset, beforeCount: () => assertMailTaken(app) },
  );
  bindEndpoint(
    server,
    contract.resetPassword,
    async ({ body, request, reply }) => {
      const caller = { handle: readHandle(app, request), browser: readBrowser(app, request) };
      const signedIn = await resetPassword(app, { ...body, ...caller });
      setSignInCookies(app, { request, reply }, signedIn);
      setOwnCookie(reply, app, { name: HANDLE_COOKIE, value: '', lifetimeMs: 0 });
      return signedIn.account;
    },
    { limit: REQUEST_LIMITS.reset },
  );
}

function readHandle(app: AppContext, request: FastifyRequest): string | null {
  const handle = readOwnCookie(app, request, HANDLE_COOKIE);
  return handle !== null && HANDLE_SHAPE.test(handle) ? handle : null;
}

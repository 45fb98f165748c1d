import type { FastifyReply, FastifyRequest } from 'fastify';
import { addTicket } from '#api/services/accounts/known-devices.ts';
import type { Browser, Caller } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LEAVING_COOKIE, SESSION_LIFETIME_MS, SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import { getCallerAddress } from './caller-address.ts';

const SESSION_COOKIE = 'podium_session';
/** Tickets of the accounts that this browser has signed in to. They stay at sign-out. */
const DEVICE_COOKIE = 'podium_device';
/** Browsers keep no cookie longer than 400 days. */
const DEVICE_LIFETIME_MS = 400 * 24 * 60 * 60_000;
const TOKEN_SHAPE = /^[\w-]{43}$/;

/** The name of the session's cookie: behind https with the prefix `__Host-`. */
export function nameSessionCookie(app: Pick<AppContext, 'config'>): string {
  return nameOwnCookie(app, SESSION_COOKIE);
}

/** The token in the session's cookie. Null when there is none or it has the wrong form. */
export function readSessionToken(app: Pick<AppContext, 'config'>, request: FastifyRequest): string | null {
  const token = readOwnCookie(app, request, SESSION_COOKIE);
  return token && TOKEN_SHAPE.test(token) ? token : null;
}

/** The session in which an account asks. */
export function ownSession(app: Pick<AppContext, 'config'>, { id: accountId }: Caller, request: FastifyRequest) {
  return { accountId, token: readSessionToken(app, request) };
}

/**
 * The session's cookie cannot be read by scripts, is not sent with forms of other sites, and lives as long as the
 * session. A second cookie without a secret tells the page that there is a session.
 */
export function setSessionCookie(reply: FastifyReply, app: Pick<AppContext, 'config'>, token: string): void {
  for (const [name, value, options] of listCookies(app, token)) reply.setCookie(name, value, options);
}

/** Sets the session's cookies by writing the header, for an answer that no hook sees. */
export function writeSessionCookie(reply: FastifyReply, app: Pick<AppContext, 'config'>, token: string): void {
  const cookies = listCookies(app, token);
  reply.header(
    'set-cookie',
    cookies.map(([name, value, options]) => reply.server.serializeCookie(name, value, options)),
  );
}

function listCookies(app: Pick<AppContext, 'config'>, token: string) {
  const options = { ...cookieOptions(app), maxAge: SESSION_LIFETIME_MS / 1000 };
  return [
    [nameSessionCookie(app), token, { ...options, httpOnly: true }],
    [SIGNED_IN_COOKIE, '1', options],
  ] as const;
}

export function expireSessionCookie(reply: FastifyReply, app: Pick<AppContext, 'config'>): void {
  reply.clearCookie(nameSessionCookie(app), { ...cookieOptions(app), httpOnly: true });
  reply.clearCookie(SIGNED_IN_COOKIE, cookieOptions(app));
}

/** Whether the page is waiting for the confirmation that its session has ended. */
export function isLeaving(request: FastifyRequest): boolean {
  return LEAVING_COOKIE in request.cookies;
}

/** Who asks, as signing in and sessions need it. Throws CallerGoneError. */
export function readBrowser(app: Pick<AppContext, 'config'>, request: FastifyRequest): Browser {
  return {
    userAgent: request.headers['user-agent'] ?? '',
    sessionToken: readSessionToken(app, request),
    address: getCallerAddress(request),
    knownDevices: readOwnCookie(app, request, DEVICE_COOKIE),
  };
}

/** For an answer that signs in: the session's cookie, and the ticket by which this browser is known from now on. */
export function setSignInCookies(
  app: Pick<AppContext, 'config'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  signedIn: { account: { id: number }; session: { token: string }; passwordHash: string | null },
): void {
  const { account, session, passwordHash } = signedIn;
  setSessionCookie(reply, app, session.token);
  const tickets = addTicket(app.config, readOwnCookie(app, request, DEVICE_COOKIE), { id: account.id, passwordHash });
  setOwnCookie(reply, app, { name: DEVICE_COOKIE, value: tickets, lifetimeMs: DEVICE_LIFETIME_MS });
}

/** A cookie that only the server reads. Null without one. */
export function readOwnCookie(app: Pick<AppContext, 'config'>, request: FastifyRequest, name: string): string | null {
  return request.cookies[nameOwnCookie(app, name)] ?? null;
}

/** Scripts cannot read it, and over https no neighbour in the domain can plant it. An empty value removes it. */
export function setOwnCookie(
  reply: FastifyReply,
  app: Pick<AppContext, 'config'>,
  { name, value, lifetimeMs }: { name: string; value: string; lifetimeMs: number },
): void {
  const options = { ...cookieOptions(app), httpOnly: true, maxAge: lifetimeMs / 1000 };
  reply.setCookie(nameOwnCookie(app, name), value, options);
}

/**
 * Browsers take a cookie with the prefix from this very host only, so no neighbour in the domain can plant a session.
 * Over plain http they do not take it at all.
 */
function nameOwnCookie(app: Pick<AppContext, 'config'>, name: string): string {
  return isSecure(app) ? `__Host-${name}` : name;
}

function cookieOptions(app: Pick<AppContext, 'config'>) {
  return {
    path: '/',
    sameSite: 'lax',
    secure: isSecure(app),
  } as const;
}

function isSecure({ config }: Pick<AppContext, 'config'>): boolean {
  return config.publicUrl.startsWith('https:');
}

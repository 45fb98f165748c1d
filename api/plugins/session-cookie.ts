import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Browser, isFormerToken } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { LEAVING_COOKIE, SESSION_LIFETIME_MS, SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';

/** Over plain http, where browsers take no cookie with the prefix. In an earlier release also over https. */
const PLAIN_COOKIE = 'podium_session';
/**
 * Browsers take a cookie with this prefix from this very host only, so no neighbour in the domain can plant a session.
 */
const HOST_COOKIE = `__Host-${PLAIN_COOKIE}` as const;
const TOKEN_SHAPE = /^[\w-]{43}$/;

/**
 * The token in the session's cookie. Null when there is none or it has the wrong form. Over https a plain cookie counts
 * only with a token of an earlier release, so that no session of this one can be planted in it.
 */
export function readSessionToken(app: Pick<AppContext, 'config'>, request: FastifyRequest): string | null {
  const own = request.cookies[HOST_COOKIE];
  const token = own ?? request.cookies[PLAIN_COOKIE];
  if (!token || !TOKEN_SHAPE.test(token)) return null;
  return own !== undefined || !isSecure(app) || isFormerToken(token) ? token : null;
}

/**
 * The session's cookie cannot be read by scripts, is not sent with forms of other sites, and lives as long as the
 * session. A second cookie without a secret tells the page that there is a session. A plain cookie of an earlier
 * release stays until it expires, because processes of that release may still run and read only this one.
 */
export function setSessionCookie(reply: FastifyReply, app: Pick<AppContext, 'config'>, token: string): void {
  for (const [name, value, options] of listCookies(app, token)) reply.setCookie(name, value, options);
}

/** The same as a header, for an answer that no hook sees. */
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
    [isSecure(app) ? HOST_COOKIE : PLAIN_COOKIE, token, { ...options, httpOnly: true }],
    [SIGNED_IN_COOKIE, '1', options],
  ] as const;
}

export function expireSessionCookie(reply: FastifyReply, app: Pick<AppContext, 'config'>): void {
  const names = isSecure(app) ? [HOST_COOKIE, PLAIN_COOKIE] : [PLAIN_COOKIE];
  for (const name of names) reply.clearCookie(name, { ...cookieOptions(app), httpOnly: true });
  reply.clearCookie(SIGNED_IN_COOKIE, cookieOptions(app));
}

/** Whether the page is waiting for the confirmation that its session has ended. */
export function isLeaving(request: FastifyRequest): boolean {
  return LEAVING_COOKIE in request.cookies;
}

/** Who asks, as sessions remember it. */
export function readBrowser(app: Pick<AppContext, 'config'>, request: FastifyRequest): Browser {
  return { userAgent: request.headers['user-agent'] ?? '', sessionToken: readSessionToken(app, request) };
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

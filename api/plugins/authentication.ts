import type { FastifyInstance } from 'fastify';
import { findSession, findSessionId, type SignedInAccount } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isLeaving, readSessionToken, setSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null for a visitor. */
    account: SignedInAccount | null;
    /** Of the caller's session, where this request has moved its end. */
    extendedToken: string | null;
  }
}

/** Where it matters who calls. Pages, scripts and health checks do without the database. */
const PERSONAL_PATHS = /^\/(api|media|sandbox)(\/|$|\?)/;

/** Tells every request who calls. Whether that is enough is each endpoint's to say. */
export function addAuthentication(server: FastifyInstance, app: AppContext): void {
  server.decorateRequest('account', null);
  server.decorateRequest('extendedToken', null);
  server.addHook('onRequest', async (request) => {
    if (!PERSONAL_PATHS.test(request.url)) return;
    const token = readSessionToken(request);
    const session = token && (await findSession(app, { token, isLeaving: isLeaving(request) }));
    if (!session) return;
    request.account = session.account;
    if (session.wasExtended) request.extendedToken = token;
  });
  // As late as possible: the session may have ended, or got another token, while this request was worked on. Its cookie
  // would bring the old one back.
  server.addHook('onSend', async ({ extendedToken }, reply) => {
    if (extendedToken && (await isStillAlive(app, extendedToken))) setSessionCookie(reply, app, extendedToken);
  });
}

async function isStillAlive(app: AppContext, token: string): Promise<boolean> {
  try {
    return (await findSessionId(app, token)) !== null;
  } catch {
    // What was asked for is done; the cookie is extended in an hour.
    return false;
  }
}

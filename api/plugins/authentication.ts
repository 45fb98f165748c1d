import type { FastifyInstance } from 'fastify';
import type { KeyedSemaphore } from '#api/platform/semaphore.ts';
import { type Caller, findSession, findSessionId } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isLeaving, readSessionToken, setSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Bounds the requests of an account that are in flight. */
    requestsOfAccount: KeyedSemaphore<number>;
  }
  interface FastifyRequest {
    /** The signed-in caller. Null for a visitor. */
    account: Caller | null;
    /** The session's token, if this request has extended the session. */
    extendedToken: string | null;
  }
}

/** Paths that need the caller. Pages, scripts and health checks work without the database. */
const PERSONAL_PATHS = /^\/(api|media|sandbox)(\/|$|\?)/;

/** Adds the caller to every request. Each endpoint decides whether that caller may use it. */
export function addAuthentication(server: FastifyInstance, app: AppContext): void {
  server.decorate('requestsOfAccount', app.state.semaphores.requestsOfAccount);
  server.decorateRequest('account', null);
  server.decorateRequest('extendedToken', null);
  server.addHook('onRequest', async (request) => {
    if (!PERSONAL_PATHS.test(request.url)) return;
    const token = readSessionToken(app, request);
    const session = token && (await findSession(app, { token, isLeaving: isLeaving(request) }));
    if (!session) return;
    request.account = session.account;
    if (session.wasExtended) request.extendedToken = token;
  });
  // Extends the cookie as late as possible. The session may have ended or got a new token during the request, and an
  // early cookie would bring the old token back.
  server.addHook('onSend', async ({ extendedToken }, reply) => {
    if (extendedToken && (await isStillAlive(app, extendedToken))) setSessionCookie(reply, app, extendedToken);
  });
}

async function isStillAlive(app: AppContext, token: string): Promise<boolean> {
  try {
    return (await findSessionId(app, token)) !== null;
  } catch {
    // The request itself has succeeded. The cookie is extended an hour later.
    return false;
  }
}

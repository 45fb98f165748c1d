import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { findSession, type SignedInAccount } from '#api/services/sessions.ts';
import { readSessionToken, setSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null for a visitor. */
    account: SignedInAccount | null;
  }
}

/** Where it matters who calls. Pages, scripts and health checks do without the database. */
const PERSONAL_PATHS = /^\/(api|media|sandbox)(\/|$|\?)/;

/** Tells every request who calls. Whether that is enough is each endpoint's to say. */
export function addAuthentication(server: FastifyInstance, app: AppContext): void {
  server.decorateRequest('account', null);
  server.addHook('onRequest', async (request, reply) => {
    if (!PERSONAL_PATHS.test(request.url)) return;
    const token = readSessionToken(request);
    const session = token && (await findSession(app, token));
    if (!session) return;
    request.account = session.account;
    if (session.wasExtended) setSessionCookie(reply, app, token);
  });
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `always`: a GET that changes something. `never`: a webhook, which is authenticated in another way. */
    originCheck?: 'always' | 'never';
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses calls that change something and come from pages of other sites. Every browser marks the origin of such a
 * call, so a call without a mark does not come from a page.
 */
export function addOriginCheck(server: FastifyInstance, app: AppContext): void {
  const ownOrigin = new URL(app.config.publicUrl).origin;
  server.addHook('onRequest', async (request) => {
    const rule = request.routeOptions.config.originCheck;
    const isChecked = rule ? rule === 'always' : !SAFE_METHODS.has(request.method);
    if (!isChecked) return;
    const origin = request.headers.origin ?? request.headers.referer;
    const isForeign =
      origin === undefined
        ? isForeignFetch(request)
        : !isOwn(origin, ownOrigin, app.config.isProduction ? undefined : request.headers.host);
    if (isForeign) throw new AppError('foreign_origin');
  });
}

function isForeignFetch(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** `developmentHost`: the request's own Host. It counts on a developer's machine under any loopback name. */
function isOwn(text: string, ownOrigin: string, developmentHost: string | undefined): boolean {
  const address = URL.parse(text);
  if (!address) return false;
  if (address.origin === ownOrigin) return true;
  const host = developmentHost ? URL.parse(`${address.protocol}//${developmentHost}`) : null;
  return (
    host !== null &&
    LOOPBACK_HOSTS.has(address.hostname) &&
    LOOPBACK_HOSTS.has(host.hostname) &&
    address.port === host.port
  );
}

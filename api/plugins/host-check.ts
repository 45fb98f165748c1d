import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { HOST_HEADER } from '#shared/rules/outside-text.ts';

/** Monitoring asks each process by its own address. */
const ASKED_BY_ANY_NAME = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Refuses requests in production that are meant for another host than PUBLIC_URL's: pages of other names that point to
 * this server (DNS rebinding), and caches that a made-up host would poison. The name that a trusted proxy forwards
 * counts.
 */
export function addHostCheck(server: FastifyInstance, { config }: AppContext): void {
  if (!config.isProduction) return;
  const { host: ownHost, protocol } = new URL(config.publicUrl);
  server.addHook('onRequest', async (request) => {
    if (ASKED_BY_ANY_NAME.has(request.url.split('?', 1)[0] ?? '')) return;
    // Parsed, so that case and a named default port make no difference. The parser alone would take a user, a path, a query
    // or a tab beside our host for nothing.
    const host = HOST_HEADER.test(request.host) ? URL.parse(`${protocol}//${request.host}`)?.host : null;
    if (host !== ownHost) throw new AppError('unknown_host');
  });
}

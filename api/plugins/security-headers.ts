import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { TAG_MANAGER_ORIGIN } from '#shared/rules/tag-manager.ts';

/** Everything comes from our own origin; nothing is written into the page that could run. */
const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'blob:', 'data:'],
  mediaSrc: ["'self'", 'blob:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  manifestSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};
/** The camera photographs garments; the rest is never asked for. */
const PERMISSIONS_POLICY = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()';
const HSTS_SECONDS = 365 * 24 * 3600;

/** With a tag manager its own script, pictures and calls are let in; what it would write into the page stays forbidden. */
function choosePolicy({ config }: AppContext): typeof CONTENT_SECURITY_POLICY {
  if (!config.tagManagerId) return CONTENT_SECURITY_POLICY;
  const { scriptSrc, imgSrc, connectSrc, ...others } = CONTENT_SECURITY_POLICY;
  return {
    ...others,
    scriptSrc: [...scriptSrc, TAG_MANAGER_ORIGIN],
    imgSrc: [...imgSrc, TAG_MANAGER_ORIGIN],
    connectSrc: [...connectSrc, TAG_MANAGER_ORIGIN],
  };
}

/** Headers that every answer carries. */
export async function addSecurityHeaders(server: FastifyInstance, app: AppContext): Promise<void> {
  await server.register(fastifyHelmet, {
    contentSecurityPolicy: { useDefaults: false, directives: choosePolicy(app) },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    hsts: app.config.publicUrl.startsWith('https:') ? { maxAge: HSTS_SECONDS, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    // It isolates nothing that matters here, and browsers warn when a fenced-in frame cannot follow it.
    originAgentCluster: false,
  });
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('Permissions-Policy', PERMISSIONS_POLICY);
  });
  server.addHook('onSend', async (request, reply) => {
    if (/^\/api(\/|$|\?)/.test(request.url) && !reply.hasHeader('Cache-Control')) {
      reply.header('Cache-Control', 'no-store');
    }
  });
}

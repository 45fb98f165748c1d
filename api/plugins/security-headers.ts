import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';

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

/** Headers that every answer carries. */
export async function addSecurityHeaders(server: FastifyInstance, app: AppContext): Promise<void> {
  await server.register(fastifyHelmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
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

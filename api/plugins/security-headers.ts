import type { OutgoingHttpHeaders } from 'node:http';
import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { TAG_MANAGER_ORIGIN } from '#shared/rules/tag-manager.ts';

/** Everything comes from our own origin, and no inline script may run. */
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
/** The camera photographs garments. Nothing else is needed. */
const PERMISSIONS_POLICY = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()';
const HSTS_SECONDS = 365 * 24 * 3600;

/**
 * Allows the tag manager's own script, pictures and calls if one is set, and pictures of the storage that browsers
 * reach. Inline scripts stay forbidden.
 */
function choosePolicy({ config }: AppContext): typeof CONTENT_SECURITY_POLICY {
  const { scriptSrc, imgSrc, connectSrc } = CONTENT_SECURITY_POLICY;
  const tagManager = config.tagManagerId ? [TAG_MANAGER_ORIGIN] : [];
  const storage = config.s3?.publicEndpoint ? [new URL(config.s3.publicEndpoint).origin] : [];
  return {
    ...CONTENT_SECURITY_POLICY,
    scriptSrc: [...scriptSrc, ...tagManager],
    imgSrc: [...imgSrc, ...storage, ...tagManager],
    connectSrc: [...connectSrc, ...tagManager],
  };
}

/** Sets the headers of every answer. */
export async function addSecurityHeaders(server: FastifyInstance, app: AppContext): Promise<void> {
  await server.register(fastifyHelmet, {
    global: false,
    contentSecurityPolicy: { useDefaults: false, directives: choosePolicy(app) },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    hsts: app.config.publicUrl.startsWith('https:') ? { maxAge: HSTS_SECONDS, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    // It has no benefit here, and browsers warn when a sandboxed frame cannot comply.
    originAgentCluster: false,
  });
  // They are the same for every answer. Helmet would put them together anew for each.
  let headers: OutgoingHttpHeaders | null = null;
  server.addHook('onRequest', async (_request, reply) => {
    if (!headers) {
      await reply.helmet();
      headers = { ...reply.raw.getHeaders(), 'permissions-policy': PERMISSIONS_POLICY };
    }
    reply.headers(headers);
  });
  server.addHook('onSend', async (request, reply) => {
    if (/^\/api(\/|$|\?)/.test(request.url) && !reply.hasHeader('Cache-Control')) {
      reply.header('Cache-Control', 'no-store');
    }
  });
}

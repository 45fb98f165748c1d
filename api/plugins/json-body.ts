import type { FastifyInstance } from 'fastify';

/** Clients send the JSON content type with calls that have no body, too: an empty body counts as none. */
export function addJsonBody(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body.toString(), done);
  });
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAddressList } from '#api/platform/address-list.ts';
import { runInRequest, type Span } from '#api/platform/request-context.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** What proxies make: UUIDs, hexadecimal numbers, and ids with a prefix. */
const REQUEST_ID = /^[\w.:=-]{8,128}$/;

/** Gives each request an id: that of a trusted proxy (`X-Request-Id`), otherwise a new one. */
export function createRequestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = createAddressList(trustedProxies);
  return ({ headers, socket: { remoteAddress = '' } }) => {
    const given = headers['x-request-id'];
    return trusted.includes(remoteAddress) && typeof given === 'string' && REQUEST_ID.test(given)
      ? given
      : randomUUID();
  };
}

/** Tells the caller the id of the request, and lets all of its work know it. With tracing, each request is a span. */
export function addRequestContext(server: FastifyInstance, { tracing }: Pick<AppContext, 'tracing'>): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    const route = request.routeOptions.url ?? '';
    const span = tracing?.begin(`${request.method} ${route}`.trim(), {
      'http.request.method': request.method,
      'http.route': route,
      'podium.request_id': request.id,
    });
    if (span) spans.set(request, span);
    runInRequest({ requestId: request.id, traceparent: span?.traceparent }, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const attributes = { 'http.response.status_code': statusCode };
    spans.get(request)?.end({ attributes, ...(statusCode >= 500 ? { error: request.errorCode } : {}) });
    done();
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '#api/platform/errors.ts';
import type { Caller } from '#api/services/accounts/sessions.ts';
import { REQUEST_LIMITS, type RequestLimit } from '#api/services/core/limit-table.ts';
import { getUser } from '#shared/contract/account.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { changePassword } from '#shared/contract/settings.ts';

type Parsed<S> = S extends z.core.$ZodType ? z.output<S> : undefined;

/** The input of a handler: the parsed parts that the endpoint declares, and the caller. */
export interface EndpointRequest<E extends Endpoint> {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Parsed<E['body']>;
  account: E['access'] extends 'public' ? Caller | null : Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What a handler gives: the fields of the answer, nothing for 204, or the reply with which it has sent a stream. */
type EndpointResult<E extends Endpoint> = E['answer'] extends z.core.$ZodType
  ? Promise<z.input<E['answer']>>
  : Promise<FastifyReply> | Promise<void>;

interface BindOptions {
  limit?: RequestLimit;
  /** Counts requests with a `search`, too. */
  searchLimit?: RequestLimit;
  /** Runs before a request is counted whose limit counts only valid ones. What it throws is the answer. */
  beforeCount?: () => Promise<void>;
  originCheck?: 'always' | 'never';
  /** In bytes, for a JSON body or a whole form. */
  bodyLimit?: number;
}

/** What works while the password has to be replaced, beside signing out, which is public. */
const BEFORE_NEW_PASSWORD: readonly Endpoint[] = [getUser, changePassword];

/** Throws unless the caller may use the endpoint. Runs before the body is read. */
function assertAccess(endpoint: Endpoint, account: Caller | null): void {
  const { access } = endpoint;
  if (access === 'public') return;
  if (!account) throw new AppError('unauthorized');
  if (account.hasPrintedPassword && !BEFORE_NEW_PASSWORD.includes(endpoint)) {
    throw new AppError('password_change_required');
  }
  if (access === 'verified' && !account.isEmailVerified) throw new AppError('email_not_verified');
  if (access === 'admin' && !account.isAdmin) throw new AppError('forbidden');
}

/**
 * Forms and streams may take minutes. Forms have a bound of their own, and their starts take a place here when the form
 * has arrived. A stream reads before it begins.
 */
function isBounded({ method, answer, file }: Endpoint): boolean {
  return file === undefined && (method !== 'GET' || answer !== undefined);
}

/**
 * Registers one endpoint of the contract. Checks sign-in and permission, validates the input, then calls the handler.
 */
export function bindEndpoint<const E extends Endpoint>(
  server: FastifyInstance,
  endpoint: E,
  handler: (input: EndpointRequest<E>) => EndpointResult<E>,
  options: BindOptions = {},
): void {
  server.route({
    method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
    url: endpoint.path,
    ...(options.bodyLimit ? { bodyLimit: options.bodyLimit } : {}),
    config: {
      endpoint,
      limit: options.limit ?? REQUEST_LIMITS.any,
      ...(options.searchLimit ? { searchLimit: options.searchLimit } : {}),
      ...(options.originCheck ? { originCheck: options.originCheck } : {}),
    },
    schema: {
      summary: endpoint.summary,
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      ...(endpoint.file ? { consumes: ['multipart/form-data'] } : {}),
      ...(endpoint.answer ? { response: { 200: endpoint.answer } } : {}),
    },
    onRequest: async (request) => assertAccess(endpoint, request.account),
    ...(options.beforeCount ? { preHandler: options.beforeCount } : {}),
    handler: async (request, reply) => {
      const { params, query, body, account } = request;
      const handle = (): Promise<unknown> =>
        handler({ params, query, body, account, request, reply } as EndpointRequest<E>);
      const result = await (account && isBounded(endpoint)
        ? server.requestsOfAccount.run(account.id, handle)
        : handle());
      // A returned reply has been sent completely. `sent` is false when the caller hung up.
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return reply;
      return endpoint.answer ? result : reply.code(204).send();
    },
  });
}

/** Registers a call of other programs. It accepts any content type and keeps the bytes, because signatures cover them. */
export function bindWebhook<const E extends Endpoint>(
  server: FastifyInstance,
  endpoint: E,
  handler: (input: EndpointRequest<E>, body: Buffer) => EndpointResult<E>,
): void {
  void server.register(async (webhook) => {
    webhook.removeAllContentTypeParsers();
    webhook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const handle = (input: EndpointRequest<E>) =>
      handler(input, Buffer.isBuffer(input.body) ? input.body : Buffer.alloc(0));
    bindEndpoint(webhook, endpoint, handle, { originCheck: 'never' });
  });
}

import fastifyRateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#api/errors.ts';
import { getCallerAddress } from './caller-address.ts';

const DEFAULT_LIMIT = { max: 1200, timeWindow: '1 minute' };

export interface RequestLimit {
  max: number;
  /** Milliseconds, or words such as `1 minute`. */
  timeWindow: number | string;
  /** Which requests are counted together: those of an account (of an address for visitors), unless set. */
  per?: 'account' | 'address';
  /** Counts only requests with a valid body. */
  countsValidOnly?: boolean;
}

/**
 * Counts in the memory of the process, so several API processes count separately. Routes use it through `toRateLimit`.
 */
export async function addRateLimit(server: FastifyInstance): Promise<void> {
  await server.register(fastifyRateLimit, {
    global: false,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', { retryAfter: Math.max(1, Math.ceil(ttl / 1000)) }),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
}

/** Converts the limit to a route's `config`. For addresses, an IPv6 /64 counts as one. */
export function toRateLimit(limit: RequestLimit = DEFAULT_LIMIT) {
  return {
    max: limit.max,
    timeWindow: limit.timeWindow,
    ...(limit.countsValidOnly ? { hook: 'preHandler' as const } : {}),
    keyGenerator: (request: FastifyRequest) =>
      request.account && limit.per !== 'address'
        ? `account:${request.account.id}`
        : normalizeIP(getCallerAddress(request)),
  };
}

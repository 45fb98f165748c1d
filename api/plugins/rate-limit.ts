import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { consumeLimit, IPV6_SITE, type Limit, toNetwork } from '#api/services/ground/limits.ts';
import { getCallerAddress } from './caller-address.ts';

const DEFAULT_LIMIT = { max: 1200, timeWindow: '1 minute' };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of this route are also counted together with those of other processes. */
    sharedLimit?: SharedRequestLimit;
  }
}

interface RequestLimitOptions {
  max: number;
  /**
   * Which requests are counted together: those of an account (of an address for visitors), unless set. `site`: those of
   * an address, and for IPv6 of a whole /48, which one customer may get.
   */
  per?: 'account' | 'address' | 'site';
  /** Counts only requests with a valid body. */
  countsValidOnly?: boolean;
}

/** Counted in the memory of the process. */
interface ProcessRequestLimit extends RequestLimitOptions {
  /** Milliseconds, or words such as `1 minute`. */
  timeWindow: number | string;
  isShared?: false;
}

/** Counted in the database, too, with the requests that other processes have got. */
interface SharedRequestLimit extends RequestLimitOptions {
  /** Milliseconds. */
  timeWindow: number;
  isShared: true;
}

export type RequestLimit = ProcessRequestLimit | SharedRequestLimit;

/**
 * Limits the requests of each route, as its `config` says. Routes get that through `toRateLimit`. What one process has
 * counted past a limit costs no statement.
 */
export async function addRateLimit(server: FastifyInstance, app: AppContext): Promise<void> {
  await server.register(fastifyRateLimit, {
    global: false,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', { retryAfter: Math.max(1, Math.ceil(ttl / 1000)) }),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  // After the plugin's own hook, so that its count comes first.
  server.addHook('onRoute', (route) => addSharedCount(app, route));
}

function addSharedCount(app: AppContext, route: RouteOptions): void {
  const limit = route.config?.sharedLimit;
  if (!limit) return;
  const shared: Limit = { name: `${route.method} ${route.url}`, max: limit.max, seconds: limit.timeWindow / 1000 };
  const hook = limit.countsValidOnly ? 'preHandler' : 'onRequest';
  const count = async (request: FastifyRequest) => {
    await consumeLimit(app, shared, findCounted(limit, request));
  };
  route[hook] = [route[hook] ?? [], count].flat();
}

/** Converts the limit to a route's `config`. */
export function toRouteConfig(limit: RequestLimit = DEFAULT_LIMIT) {
  return { rateLimit: toRateLimit(limit), ...(limit.isShared ? { sharedLimit: limit } : {}) };
}

/** Converts the limit of a process to the `rateLimit` of a route's `config`. */
export function toRateLimit(limit: RequestLimit = DEFAULT_LIMIT) {
  return {
    max: limit.max,
    timeWindow: limit.timeWindow,
    ...(limit.countsValidOnly ? { hook: 'preHandler' as const } : {}),
    keyGenerator: (request: FastifyRequest) => findCounted(limit, request),
  };
}

/** Whose requests are counted together. For addresses, an IPv6 /64 counts as one. */
function findCounted({ per = 'account' }: RequestLimit, request: FastifyRequest): string {
  if (request.account && per === 'account') return `account:${request.account.id}`;
  return toNetwork(getCallerAddress(request), per === 'site' ? IPV6_SITE : undefined);
}

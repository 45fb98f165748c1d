import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import type { RequestLimit } from '#api/services/core/limit-table.ts';
import { createProcessCount, createSharedCount, IPV6_SITE, toNetwork } from '#api/services/core/limits.ts';
import { getCallerAddress } from './caller-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many requests of this route a caller may send. Without it they are not counted. */
    limit?: RequestLimit;
    /** The same of requests with a `search`. */
    searchLimit?: RequestLimit;
  }
}

/** Limits the requests of each route, as its `config` says. */
export function addRateLimit(server: FastifyInstance, app: AppContext): void {
  server.addHook('onRoute', (route) => {
    const limit = route.config?.limit;
    if (!limit) return;
    const { max, seconds, isShared, countsValidOnly } = limit;
    const named = { name: `${route.method} ${route.url}`, max, seconds };
    const count = isShared ? createSharedCount(app, named) : createProcessCount(named);
    const hook = countsValidOnly ? 'preHandler' : 'onRequest';
    const countRequest = async (request: FastifyRequest) => {
      await count(findCounted(limit, request));
    };
    route[hook] = [route[hook] ?? [], countRequest].flat();
    const { searchLimit } = route.config ?? {};
    if (!searchLimit) return;
    const countSearch = createProcessCount({ ...searchLimit, name: `${named.name} search` });
    route.onRequest = [
      route.onRequest ?? [],
      async (request: FastifyRequest) => {
        if (isSearch(request.query)) await countSearch(findCounted(searchLimit, request));
      },
    ].flat();
  });
}

function isSearch(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'search' in query && query.search !== '';
}

/** Whose requests are counted together. For addresses, an IPv6 /64 counts as one. */
function findCounted({ per = 'account' }: RequestLimit, request: FastifyRequest): string {
  if (request.account && per === 'account') return `account:${request.account.id}`;
  return toNetwork(getCallerAddress(request), per === 'site' ? IPV6_SITE : undefined);
}

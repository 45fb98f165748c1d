import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/errors.ts';

/** No call of ours nests deeper than a handful, nor does an update of Telegram; what reads a body may rely on it. */
const MAX_DEPTH = 100;

/**
 * Clients send the JSON content type with calls that have no body, too: an empty body counts as none. One that is nested
 * so deeply that whatever walks through it would run out of its stack is refused.
 */
export function addJsonBody(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') {
      done(null, undefined);
      return;
    }
    parse(request, body.toString(), (error, parsed) => {
      if (!error && isTooDeep(parsed)) done(new AppError('invalid_request'));
      else done(error, parsed);
    });
  });
}

/** Level by level, because a body may be deeper than calls can be. */
function isTooDeep(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The sender repeats what is refused, for ever: the handler takes NULs out itself. */
    takesNul?: true;
  }
}

/** PostgreSQL stores no NUL in a text, and nobody types one: a request whose body carries it anywhere is refused. */
export function addNulRefusal(server: FastifyInstance): void {
  server.addHook('preValidation', async ({ body, routeOptions }) => {
    if (!routeOptions.config.takesNul && containsNul(body)) throw new AppError('invalid_request');
  });
}

/** Calls itself level by level: `addJsonBody` lets nothing in that is too deep for it. */
function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return false;
  return Object.entries(value).some((pair) => pair.some(containsNul));
}

import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';

/** Our own calls and Telegram's updates have only a few levels. Code that reads a body may rely on this limit. */
const MAX_DEPTH = 100;

/**
 * Takes JSON alone, and an empty body, because clients send the JSON content type with calls that have no body, too.
 * Refuses a body that is nested so deeply that code walking through it would overflow its stack.
 */
export function addJsonBody(server: FastifyInstance): void {
  // Fastify reads texts by itself, and no call of ours takes one.
  server.removeContentTypeParser('text/plain');
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

/** Iterates over the levels, because recursion could overflow the stack here. */
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
    /** The handler removes NULs itself. Its sender would repeat a refused request for ever. */
    takesNul?: true;
  }
}

/** Refuses a request with a NUL anywhere in its body or query. PostgreSQL cannot store one in a text, and nobody types one. */
export function addNulRefusal(server: FastifyInstance): void {
  server.addHook('preValidation', async ({ body, query, routeOptions }) => {
    if (!routeOptions.config.takesNul && (containsNul(body) || containsNul(query)))
      throw new AppError('invalid_request');
  });
}

/** Recursion is safe, because `addJsonBody` limits the depth. */
function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return false;
  return Object.entries(value).some((pair) => pair.some(containsNul));
}

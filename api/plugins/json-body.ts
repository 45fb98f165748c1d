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

import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/errors.ts';

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

import type { FastifyRequest } from 'fastify';

/** Whoever asked is gone before it was looked where they are: there is nobody to answer. */
export class CallerGoneError extends Error {
  override name = 'CallerGoneError';
}

/**
 * The address that a request comes from, as TRUSTED_PROXIES allow. The system forgets it with the connection: throws
 * CallerGoneError when that has ended.
 */
export function getCallerAddress(request: Pick<FastifyRequest, 'ip'>): string {
  // Typed as one that is always there.
  const address: string | undefined = request.ip;
  if (address === undefined) throw new CallerGoneError('The connection has ended');
  return address;
}

import type { FastifyRequest } from 'fastify';

/** The caller disconnected before its address was read: there is nobody to answer. */
export class CallerGoneError extends Error {
  override name = 'CallerGoneError';
}

/**
 * The address that a request comes from, as TRUSTED_PROXIES allow. It is lost when the connection ends: throws
 * CallerGoneError then.
 */
export function getCallerAddress(request: Pick<FastifyRequest, 'ip'>): string {
  // The types say that it is always there.
  const address: string | undefined = request.ip;
  if (address === undefined) throw new CallerGoneError('The connection has ended');
  return address;
}

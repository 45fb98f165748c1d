import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAddressList } from '#api/platform/address-list.ts';

/** The connection ended before its address was read. There is nobody to answer. */
export class CallerGoneError extends Error {
  override name = 'CallerGoneError';
}

/**
 * The address of the caller; proxies count as configured by TRUSTED_PROXIES. Throws CallerGoneError after the
 * connection has ended, because the system then forgets the address.
 */
export function getCallerAddress(request: Pick<FastifyRequest, 'ip'>): string {
  // Fastify's type says that it is always present.
  const address: string | undefined = request.ip;
  if (address === undefined) throw new CallerGoneError('The connection has ended');
  return address;
}

/** Loopback, private networks (RFC 1918, RFC 4193) and link-local addresses. */
const PRIVATE_RANGES = createAddressList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/**
 * Whether a request comes from this machine or its own network. A request forwarded by an untrusted proxy
 * (TRUSTED_PROXIES) does not count, because only the proxy's address is visible. Throws CallerGoneError.
 */
export function isFromPrivateNetwork(request: FastifyRequest): boolean {
  const address = getCallerAddress(request);
  const isForwarderUnknown =
    request.headers['x-forwarded-for'] !== undefined && address === request.socket.remoteAddress;
  return !isForwarderUnknown && PRIVATE_RANGES.includes(address);
}

/**
 * Warns once when a proxy of this network forwards requests and TRUSTED_PROXIES does not name it. Then all visitors
 * share the proxy's address, and with it one rate limit.
 */
export function addUnknownProxyWarning(server: FastifyInstance): void {
  let isWarned = false;
  server.addHook('onRequest', async (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined) return;
    const peer = request.socket.remoteAddress;
    if (peer === undefined || request.ip !== peer || !PRIVATE_RANGES.includes(peer)) return;
    isWarned = true;
    request.log.warn({ proxy: peer }, 'a proxy forwards requests, but TRUSTED_PROXIES does not name it');
  });
}
